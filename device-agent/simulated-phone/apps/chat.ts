import { createTextField, setFieldValue } from "../screen/text-field.ts";
import type { Scroll, View } from "../screen/view.ts";
import { appBar, badge, column, editText, iconButton, label, list, row, space, THEME } from "../screen/widgets.ts";
import type { App, AppContext, AppSpec } from "./app.ts";

const PACKAGE = "app.farhand.chat";

interface Message {
  readonly isMine: boolean;
  readonly text: string;
  readonly time: string;
}

const FIRST_MESSAGES: readonly Message[] = [
  { isMine: false, text: "早上好！今天的会议几点开始？☀️", time: "08:55" },
  { isMine: true, text: "十点，在三楼的会议室。", time: "08:57" },
  { isMine: false, text: "好的，我会带上资料 📎", time: "08:58" },
  { isMine: false, text: "Shall we have lunch afterwards? 🍜", time: "09:01" },
  { isMine: true, text: "Sure! 좋아요, 駅前のラーメン屋で 😄", time: "09:02" },
  { isMine: false, text: "太好了 👍🏽", time: "09:02" },
];

export const chat: AppSpec = {
  packageName: PACKAGE,
  label: "Chat",
  versionName: "5.12.0",
  versionCode: 51_200,
  uid: 10_211,
  isSystem: false,
  isInLauncher: true,
  mainActivity: `${PACKAGE}.ConversationActivity`,
  icon: { name: "chat", color: "#2f9e68" },
  open: openChat,
};

/** One conversation; a new message is scrolled into view. */
function openChat(context: AppContext): App {
  // Larger than any list: layout cuts it to the end.
  const scroll: Scroll = { offset: Number.MAX_SAFE_INTEGER, max: 0 };
  const input = createTextField({ isMultiline: true, maxLength: 4_000 });
  const messages = () => (context.storage.get("messages") as readonly Message[] | undefined) ?? FIRST_MESSAGES;

  function send(): void {
    if (input.value.trim() === "") return;
    const message = { isMine: true, text: input.value, time: new Date(context.now()).toISOString().slice(11, 16) };
    context.storage.set("messages", [...messages(), message]);
    setFieldValue(input, "");
    scroll.offset = Number.MAX_SAFE_INTEGER;
    context.changed();
  }

  function bubble({ isMine, text, time }: Message): View {
    const colors = isMine
      ? { background: THEME.primary, text: THEME.onPrimary, time: "#c9d6ff" }
      : { background: "#ffffff", text: THEME.onSurface, time: THEME.outline };
    const content = column(
      [
        label(text, { size: 16, color: colors.text }, { id: "message_text" }),
        label(time, { size: 11, color: colors.time, align: "end" }, { id: "message_time" }),
      ],
      {
        width: "wrap",
        padding: { left: 14, right: 14, top: 9, bottom: 7 },
        look: { background: colors.background, radius: 18, elevation: 1 },
        onLongClick: () => {
          context.clipboard.set(text);
          context.toast("Message copied");
        },
      },
    );
    const limited: View = {
      className: "android.widget.FrameLayout",
      direction: "stack",
      weight: 4,
      align: isMine ? "end" : "start",
      children: [content],
    };
    return row(isMine ? [space(), limited] : [limited, space()], {
      id: "message_row",
      padding: { left: 12, right: 12, top: 4, bottom: 4 },
    });
  }

  function inputRow(): View {
    const sendButton = iconButton(
      "send",
      "Send",
      send,
      { id: "send", look: { background: THEME.primary, radius: 24 } },
      THEME.onPrimary,
    );
    const field = editText("message_input", input, "Message", {
      weight: 1,
      look: { background: "#ffffff", radius: 24 },
      textStyle: { size: 16, maxLines: 4 },
    });
    return row([iconButton("image", "Attach a photo", attach, { id: "attach" }), field, sendButton], {
      padding: { left: 6, right: 8, top: 6, bottom: 8 },
      gap: 6,
      align: "end",
    });
  }

  function attach(): void {
    if (context.hasPermission("android.permission.READ_MEDIA_IMAGES")) context.toast("No photos to share");
    else
      context.askPermission(
        "android.permission.READ_MEDIA_IMAGES",
        "Allow Chat to access photos and videos on this device?",
      );
  }

  return {
    activity: () => chat.mainActivity,
    look: { background: "#eef1f8" },
    content() {
      // A list that shows its end goes on showing it when the room shrinks.
      if (scroll.offset >= scroll.max) scroll.offset = Number.MAX_SAFE_INTEGER;
      return page();
    },
  };

  function page(): View {
    return column(
      [
        appBar("周末聚会", {
          background: "#ffffff",
          actions: [badge("person", "#c2557a", 36, { description: "周末聚会" }), space(0.05)],
        }),
        list(scroll, messages().map(bubble), { id: "messages", padding: { top: 8, bottom: 8 } }),
        inputRow(),
      ],
      { height: "fill" },
    );
  }
}
