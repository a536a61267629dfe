import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dumpFailure } from "../../../device-agent/adb/tree/dump-failure.ts";
import { parseDump } from "../../../device-agent/adb/tree/parse-dump.ts";
import { capture, captureNames, hasCaptures } from "./captures.ts";

function nodesOf(text: string) {
  const parsed = parseDump(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.nodes;
}

const small = (attributes: string) => `<hierarchy rotation="0"><node ${attributes} bounds="[1,2][30,40]"/></hierarchy>`;

test("a tree is read with depths, paths and bounds", () => {
  const nodes = nodesOf(
    `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="1"><node index="0" text="A &amp; E" class="android.widget.Button" package="p.q" content-desc="" clickable="true" bounds="[-5,0][100,200]"><node text="x" bounds="[0,0][0,0]" /></node></hierarchy>UI hierchary dumped to: /dev/tty\n`,
  );
  expect(nodes).toHaveLength(2);
  expect(nodes[0]).toMatchObject({
    text: "A & E",
    className: "android.widget.Button",
    packageName: "p.q",
    clickable: true,
    enabled: true,
    depth: 0,
    path: "0",
    bounds: { left: -5, top: 0, right: 100, bottom: 200 },
  });
  expect(nodes[1]).toMatchObject({ text: "x", depth: 1, path: "0.0", resourceId: "" });
});

describe("a dump of all windows", () => {
  const window = (text: string, about: string, inner = "") =>
    `<window index="0" title="" ${about}>${inner}<hierarchy rotation="1"><node text="${text}" bounds="[0,0][9,9]"/></hierarchy></window>`;
  const dump = (...displays: string[]) => `<?xml version='1.0'?><displays>${displays.join("")}</displays>`;
  const told = (text: string, display?: number) => {
    const parsed = parseDump(text, display);
    return parsed.ok ? parsed.nodes.map((node) => node.text) : parsed.reason;
  };
  const app = 'type="TYPE_APPLICATION"';
  const bar = window("bar", 'active="false" focused="false" layer="9" type="TYPE_SYSTEM"');
  const main = `<display id="0">${bar}${window("main", `active="false" focused="true" layer="3" ${app}`)}${window("below", `active="false" focused="false" layer="2" ${app}`)}</display>`;
  const other = `<display id="2">${window("low", `active="false" focused="false" layer="0" ${app}`)}${window("top", `active="false" focused="false" layer="1" ${app}`)}</display>`;

  test("gives each display its window in front: the focused one, else its topmost app", () => {
    expect([told(dump(main, other), 0), told(dump(main, other), 2), told(dump(other, main), 0)]).toEqual([
      ["main"],
      ["top"],
      ["main"],
    ]);
    expect(told(dump(main, other))).toHaveLength(5);
    expect(parseDump(dump(main, other), 2)).toMatchObject({ rotation: 1 });
  });

  test("says when a display has no window with a tree", () => {
    expect(told(dump(main), 2)).toBe("no_window");
    expect(told(dump(main, '<display id="2"><window layer="0" focused="true"></window></display>'), 2)).toBe(
      "no_window",
    );
    const failure = dumpFailure("", "", parseDump(dump(main), 2));
    expect(failure.code).toBe("ui_unavailable");
  });

  test("finds a window inside of another", () => {
    const inner = window("inner", `focused="true" layer="4" ${app}`);
    expect(
      told(dump(`<display id="2">${window("outer", `focused="false" layer="3" ${app}`, inner)}</display>`), 2),
    ).toEqual(["inner"]);
  });

  test("is not what an older phone gives, which knows its main display only", () => {
    const plain = small('text="old"');
    expect([told(plain, 0), told(plain, 2)]).toEqual([["old"], "main_display_only"]);
    expect(dumpFailure("", plain, parseDump(plain, 2)).code).toBe("unsupported");
  });
});

test("a hint is not text", () => {
  expect(nodesOf(small('class="android.widget.EditText" text="Email" hint="Email"'))[0]).toMatchObject({
    text: "",
    hint: "Email",
    editable: true,
  });
  expect(nodesOf(small('class="android.widget.EditText" text="me@example.org" hint="Email"'))[0]).toMatchObject({
    text: "me@example.org",
    hint: "Email",
  });
});

test("attributes between apostrophes hold quotes", () => {
  expect(
    nodesOf(`<hierarchy rotation='0'><node text='say "hi" &gt; now' bounds='[0,0][1,1]' /></hierarchy>`)[0]?.text,
  ).toBe('say "hi" > now');
});

test("a text that looks like the end of the tree does not end it", () => {
  const nodes = nodesOf(
    `<hierarchy rotation="0"><node text="UI hierchary dumped to: &lt;/hierarchy&gt;" bounds="[0,0][1,1]"/><node text="b" bounds="[0,0][1,1]"/></hierarchy>`,
  );
  expect(nodes.map((node) => node.text)).toEqual(["UI hierchary dumped to: </hierarchy>", "b"]);
});

test("halves of an emoji written as two references become the emoji", () => {
  expect(nodesOf(small('text="&#55357;&#56613; fire"'))[0]?.text).toBe("🔥 fire");
  expect(nodesOf(small('text="&#128293; &#x1F525;"'))[0]?.text).toBe("🔥 🔥");
});

test("characters that XML forbids are replaced, and no node is lost", () => {
  const forbidden = [
    "\u0000",
    "\u0007",
    "\u001f",
    "\ufffe",
    "\uffff",
    "\ud83d",
    "\udd25",
    "&#0;",
    "&#x1;",
    "&#55357;",
    "&#xFFFE;",
    "&#99999999;",
  ];
  const whole =
    '<hierarchy rotation="0"><node text="first" bounds="[0,0][1,1]"/><node text="second" bounds="[0,0][1,1]"/></hierarchy>';
  const at = whole.indexOf("first") + 2;
  for (const bad of forbidden) {
    const nodes = nodesOf(whole.slice(0, at) + bad + whole.slice(at));
    expect(nodes).toHaveLength(2);
    expect(nodes[0]?.text).toBe("fi\ufffdrst");
  }
});

test("any character in any text leaves the number of nodes as it is", () => {
  const text = fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    maxLength: 20,
  });
  fc.assert(
    fc.property(text, text, (one, two) => {
      const clean = (value: string) => value.replaceAll('"', "").replaceAll("<", "&lt;");
      const xml = `<hierarchy rotation="0"><node text="${clean(one)}" bounds="[0,0][1,1]"><node text="${clean(two)}" bounds="[0,0][1,1]"/></node></hierarchy>`;
      const nodes = nodesOf(xml);
      expect(nodes).toHaveLength(2);
      for (const node of nodes) expect(/\p{Cs}/u.test(node.text)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("a tree that broke off anywhere is an error, never a smaller tree", () => {
  const whole =
    '<?xml version="1.0"?><hierarchy rotation="0"><node text="a" bounds="[0,0][1,1]"><node text="b" bounds="[0,0][1,1]" /></node></hierarchy>';
  for (let length = 0; length < whole.length; length++) expect(parseDump(whole.slice(0, length)).ok).toBe(false);
});

test("windows are put together from the lowest layer to the highest", () => {
  const nodes = nodesOf(
    '<displays><display id="0"><window layer="2" title="StatusBar"><hierarchy rotation="0"><node text="12:00" bounds="[0,0][1,1]"/></hierarchy></window><window layer="0" title="App"><hierarchy rotation="0"><node text="Settings" bounds="[0,0][1,1]"/></hierarchy></window></display></displays>',
  );
  expect(nodes.map((node) => [node.text, node.path])).toEqual([
    ["Settings", "w0.0"],
    ["12:00", "w1.0"],
  ]);
});

test("failures of the phone are told apart", () => {
  const failure = (said: string, xml = "") => {
    const { code, hint } = dumpFailure(said, xml, parseDump(xml));
    return { code, hint };
  };
  expect(failure("ERROR: could not get idle state.\n").code).toBe("ui_not_idle");
  expect(failure("ERROR: null root node returned by UiTestAutomationBridge.\n").code).toBe("ui_unavailable");
  expect(failure("Killed \n").code).toBe("ui_unavailable");
  expect(failure("").code).toBe("ui_unavailable");
  const busy = failure(
    "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1 already registered!",
  );
  expect(busy.code).toBe("ui_unavailable");
  expect(busy.hint).toMatch(/other tool/);
});

describe.runIf(hasCaptures)("dumps of real phones", () => {
  const expected: [string, number, Record<string, number>?][] = [
    ["ui/androidtv-philo.xml", 113, { scrollable: 4 }],
    ["ui/api16-pretty.xml", 9],
    ["ui/api17-chinese.xml", 21],
    ["ui/api27-settings.xml", 29],
    ["ui/automotive-ko-dialog.xml", 18],
    ["ui/bilibili-clean.xml", 145, { scrollable: 3 }],
    ["ui/bilibili-miui-pollution.txt", 145, { scrollable: 3 }],
    ["ui/bilibili-trailer-bom.txt", 145, { scrollable: 3 }],
    ["ui/chrome-webview.xml", 65],
    ["ui/compose-history-list.xml", 42],
    ["ui/douyin-share.xml", 102, { scrollable: 2 }],
    ["ui/ebay-signin-password.xml", 30, { password: 1 }],
    ["ui/emoji-numeric-refs-compose.xml", 50],
    ["ui/es-popup-newlines.xml", 14],
    ["ui/flutter-semantics.xml", 23],
    ["ui/huawei-calendar.xml", 115],
    ["ui/indeed-webview-list.xml", 48],
    ["ui/keyguard-pt-2018.xml", 113],
    ["ui/play-store-home.xml", 101],
    ["ui/play-store-search.xml", 112, { scrollable: 2 }],
    ["ui/rn-login-password.xml", 60, { password: 1 }],
    ["ui/systemui-quick-settings-zh.xml", 104],
    ["ui/thunderbird-inbox.xml", 27],
    ["ui/wecom-search.xml", 22],
    ["constructed/crlf-pty.xml", 1],
    ["constructed/empty-hierarchy.xml", 0],
    ["constructed/invalid-control-chars.xml", 1],
    ["constructed/rotation1.xml", 2],
    ["constructed/surrogate-refs.xml", 1],
    ["constructed/windows-displays.xml", 2],
  ];

  test.each(expected)("%s has %i nodes", (name, count, flags = {}) => {
    const nodes = nodesOf(capture(name));
    expect(nodes).toHaveLength(count);
    for (const [flag, many] of Object.entries(flags)) {
      expect(nodes.filter((node) => node[flag as "scrollable" | "password"])).toHaveLength(many);
    }
  });

  test("what is no tree is said to be none", () => {
    expect(parseDump(capture("ui/miui-error-only.txt"))).toEqual({ ok: false, reason: "missing" });
    expect(parseDump(capture("constructed/truncated.xml"))).toEqual({ ok: false, reason: "truncated" });
    expect(parseDump(capture("ui/appium-pagesource-hidden-root.xml"))).toEqual({
      ok: false,
      reason: "appium_page_source",
    });
  });

  test("every file of the folder is looked at", () => {
    const known = new Set(expected.map(([name]) => name));
    const others = [...captureNames("ui"), ...captureNames("constructed")].filter((name) => !known.has(name));
    expect(others.sort()).toEqual([
      "constructed/truncated.xml",
      "ui/appium-pagesource-hidden-root.xml",
      "ui/miui-error-only.txt",
    ]);
  });

  test("polluted outputs give the same tree as the clean one", () => {
    const clean = nodesOf(capture("ui/bilibili-clean.xml"));
    expect(nodesOf(capture("ui/bilibili-miui-pollution.txt"))).toEqual(clean);
    expect(nodesOf(capture("ui/bilibili-trailer-bom.txt"))).toEqual(clean);
  });

  test("emoji, line breaks, hints and rotation are right", () => {
    const textsOf = (name: string) => nodesOf(capture(name)).flatMap((node) => [node.text, node.description]);
    expect(textsOf("ui/emoji-numeric-refs-compose.xml").join()).toContain("🔥");
    expect(
      textsOf("ui/flutter-semantics.xml").some((text) =>
        text.startsWith("Mandelbulb fractal, 3D. Double tap to open.\n3D\n"),
      ),
    ).toBe(true);
    expect(textsOf("constructed/surrogate-refs.xml")).toContain("🔥 fire");
    expect(parseDump(capture("constructed/rotation1.xml"))).toMatchObject({ rotation: 1 });
    const login = nodesOf(capture("ui/rn-login-password.xml")).filter((node) => node.hint !== "");
    expect(login.map((node) => node.hint)).toEqual(expect.arrayContaining(["Email", "Password"]));
    expect(login.find((node) => node.hint === "Email")?.text).toBe("");
    expect(nodesOf(capture("constructed/windows-displays.xml")).map((node) => node.text)).toEqual([
      "Settings",
      "12:00",
    ]);
  });
});
