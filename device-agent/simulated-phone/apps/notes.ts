import type { Point } from "../screen/geometry.ts";
import { createTextField } from "../screen/text-field.ts";
import type { Scroll, View } from "../screen/view.ts";
import {
  appBar,
  button,
  column,
  dialog,
  editText,
  iconButton,
  label,
  list,
  menu,
  stack,
  THEME,
} from "../screen/widgets.ts";
import type { App, AppContext, AppSpec, Overlay } from "./app.ts";

const PACKAGE = "app.farhand.notes";

interface Note {
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

const FIRST_NOTES: readonly Note[] = [
  { id: 1, title: "Shopping list", body: "Milk\nBread\nCoffee beans" },
  { id: 2, title: "旅行计划", body: "周六上午九点在火车站见面 🚄" },
  { id: 3, title: "Ideas", body: "Call the workshop about the bike." },
];

export const notes: AppSpec = {
  packageName: PACKAGE,
  label: "Notes",
  versionName: "2.4.1",
  versionCode: 241,
  uid: 10_210,
  isSystem: false,
  isInLauncher: true,
  mainActivity: `${PACKAGE}.MainActivity`,
  otherActivities: [`${PACKAGE}.EditActivity`],
  icon: { name: "note", color: "#d99a1c" },
  resolve: (intent) => (intent.action === "android.intent.action.SEND" ? `${PACKAGE}.EditActivity` : undefined),
  open: openNotes,
};

interface Draft {
  readonly id: number | undefined;
  readonly title: ReturnType<typeof createTextField>;
  readonly body: ReturnType<typeof createTextField>;
}

function openNotes(context: AppContext): App {
  const scroll: Scroll = { offset: 0, max: 0 };
  let draft: Draft | undefined;
  let menuFor: { readonly note: Note; readonly at: Point } | undefined;
  let confirms: Note | undefined;

  const saved = () => (context.storage.get("notes") as readonly Note[] | undefined) ?? FIRST_NOTES;
  function store(next: readonly Note[]): void {
    context.storage.set("notes", next);
    context.changed();
  }

  function edit(note: Note | undefined, body = note?.body ?? ""): void {
    draft = {
      id: note?.id,
      title: createTextField({ value: note?.title ?? "" }),
      body: createTextField({ value: body, isMultiline: true }),
    };
    context.changed();
    if (!note) context.focus("title");
  }

  function save(): void {
    if (!draft) return;
    const title = draft.title.value.trim() || draft.body.value.split("\n")[0] || "Untitled";
    const id = draft.id ?? Math.max(0, ...saved().map((note) => note.id)) + 1;
    const note = { id, title, body: draft.body.value };
    const others = saved().filter((other) => other.id !== id);
    draft = undefined;
    context.hideKeyboard();
    store([note, ...others]);
    context.toast("Note saved");
  }

  function remove(note: Note): void {
    confirms = undefined;
    draft = undefined;
    store(saved().filter((other) => other.id !== note.id));
    context.toast("Note deleted");
  }

  function card(note: Note): View {
    return column(
      [
        label(note.title, { size: 17, weight: 600, maxLines: 1 }, { id: "note_title" }),
        label(note.body, { size: 15, color: THEME.onSurfaceVariant, maxLines: 3 }, { id: "note_body" }),
      ],
      {
        className: "androidx.cardview.widget.CardView",
        id: "note_card",
        gap: 4,
        padding: 16,
        margin: { left: 16, right: 16, top: 6, bottom: 6 },
        look: { background: "#fff5da", radius: 16, elevation: 1 },
        isFocusable: true,
        onClick: () => edit(note),
        onLongClick(at) {
          menuFor = { note, at };
        },
      },
    );
  }

  function listPage(): View {
    const newNote = iconButton(
      "add",
      "New note",
      () => edit(undefined),
      {
        id: "fab",
        width: 60,
        height: 60,
        margin: { right: 20, bottom: 20 },
        look: { background: THEME.primary, radius: 18, elevation: 4 },
      },
      THEME.onPrimary,
    );
    const cards = saved().map(card);
    const empty = label(
      "No notes yet",
      { size: 16, color: THEME.outline, align: "center" },
      { id: "empty", width: "fill", margin: { top: 80 } },
    );
    return stack(
      [
        column(
          [
            appBar("Notes"),
            list(scroll, cards.length > 0 ? cards : [empty], { id: "notes_list", padding: { bottom: 90 } }),
          ],
          { height: "fill" },
        ),
        newNote,
      ],
      { height: "fill", align: "end", justify: "end" },
    );
  }

  function editPage(current: Draft): View {
    const original = saved().find((note) => note.id === current.id);
    const actions = [
      ...(original ? [iconButton("delete", "Delete", () => askToDelete(original), { id: "action_delete" })] : []),
      button("Save", "action_save", save, "text"),
    ];
    return column(
      [
        appBar(current.id === undefined ? "New note" : "Edit note", { onBack: leave, actions }),
        editText("title", current.title, "Title", {
          textStyle: { size: 22, weight: 600 },
          margin: { left: 16, right: 16, top: 8 },
        }),
        editText("body", current.body, "Write something...", {
          height: "fill",
          weight: 1,
          margin: { left: 16, right: 16, top: 12, bottom: 16 },
        }),
      ],
      { height: "fill" },
    );
  }

  function leave(): void {
    draft = undefined;
    context.hideKeyboard();
    context.changed();
  }

  function editFromMenu(note: Note): void {
    menuFor = undefined;
    edit(note);
  }

  function askToDelete(note: Note): void {
    menuFor = undefined;
    confirms = note;
    context.hideKeyboard();
    context.changed();
  }

  function overlay(): Overlay | undefined {
    if (confirms) {
      const note = confirms;
      const cancel = () => {
        confirms = undefined;
        context.changed();
      };
      const actions = [
        button("Cancel", "android:id/button2", cancel, "text"),
        button("Delete", "android:id/button1", () => remove(note), "text"),
      ];
      return {
        kind: "dialog",
        root: dialog("Delete note?", `"${note.title}" will be deleted for good.`, actions),
        onDismiss: cancel,
      };
    }
    if (!menuFor) return undefined;
    const { note, at } = menuFor;
    const close = () => {
      menuFor = undefined;
      context.changed();
    };
    const copyText = () => {
      context.clipboard.set(`${note.title}\n${note.body}`);
      close();
      context.toast("Copied");
    };
    const root = menu([
      { text: "Edit", icon: "edit", onClick: () => editFromMenu(note) },
      { text: "Copy", icon: "copy", onClick: copyText },
      { text: "Delete", icon: "delete", onClick: () => askToDelete(note) },
    ]);
    return { kind: "popup", root, anchor: at, onDismiss: close };
  }

  return {
    activity: () => (draft ? `${PACKAGE}.EditActivity` : `${PACKAGE}.MainActivity`),
    content: () => (draft ? editPage(draft) : listPage()),
    overlay,
    onBack() {
      const wasEditing = draft !== undefined;
      if (wasEditing) leave();
      return wasEditing;
    },
    onIntent(intent) {
      if (intent.action === "android.intent.action.SEND")
        edit(undefined, intent.extras?.get("android.intent.extra.TEXT") ?? "");
    },
  };
}
