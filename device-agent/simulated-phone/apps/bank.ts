import { createTextField, setFieldValue } from "../screen/text-field.ts";
import type { Scroll, View } from "../screen/view.ts";
import {
  appBar,
  badge,
  button,
  checkBox,
  column,
  editText,
  label,
  row,
  scrollView,
  space,
  THEME,
} from "../screen/widgets.ts";
import type { App, AppContext, AppSpec } from "./app.ts";

const PACKAGE = "app.farhand.bank";
const GREEN = "#1f6f5c";

export const bank: AppSpec = {
  packageName: PACKAGE,
  label: "Harbor Bank",
  isLabelWritten: true,
  versionName: "3.0.2",
  versionCode: 302,
  uid: 10_212,
  isSystem: false,
  isInLauncher: true,
  mainActivity: `${PACKAGE}.LoginActivity`,
  otherActivities: [`${PACKAGE}.AccountActivity`],
  icon: { name: "bank", color: GREEN },
  open: openBank,
};

const ACCOUNTS: readonly (readonly [string, string])[] = [
  ["Everyday account", "€ 2,480.15"],
  ["Savings", "€ 11,302.00"],
  ["Travel card", "¥ 48,200"],
];

/** A sign-in form, and behind it the account, which asks for no screenshots. */
function openBank(context: AppContext): App {
  const scroll: Scroll = { offset: 0, max: 0 };
  const user = createTextField();
  const password = createTextField({ isPassword: true, onSubmit: signIn });
  let remembers = false;
  let message: string | undefined;
  let isSignedIn = false;

  function signIn(): void {
    if (user.value === "" || password.value === "") message = "Enter your user name and password.";
    else if (password.value.length < 4) message = "User name or password is wrong.";
    else {
      isSignedIn = true;
      message = undefined;
    }
    context.hideKeyboard();
    context.changed();
  }

  function signOut(): void {
    isSignedIn = false;
    setFieldValue(password, "");
    if (!remembers) setFieldValue(user, "");
    context.changed();
  }

  const caption = (text: string) =>
    label(text, { size: 14, weight: 500, color: THEME.onSurfaceVariant }, { margin: { top: 18, bottom: 6, left: 4 } });

  function loginPage(): View {
    return scrollView(
      scroll,
      [
        row([space(), badge("bank", GREEN, 72), space()], { margin: { top: 36 } }),
        label(
          "Welcome back",
          { size: 26, weight: 500, align: "center" },
          { id: "heading", width: "fill", margin: { top: 16 } },
        ),
        caption("User name"),
        editText("username", user, "User name"),
        caption("Password"),
        editText("password", password, "Password"),
        ...(message === undefined
          ? []
          : [label(message, { size: 14, color: THEME.error }, { id: "error", margin: { top: 12, left: 4 } })]),
        checkBox("remember", "Remember me", remembers, () => {
          remembers = !remembers;
          context.changed();
        }),
        button("Sign in", "sign_in", signIn, "filled", {
          width: "fill",
          margin: { top: 12 },
          look: { background: GREEN, radius: 26 },
        }),
        button("Forgot password?", "forgot", () => context.toast("Please visit a branch."), "text", {
          width: "fill",
          margin: { top: 4 },
        }),
      ],
      { padding: { left: 24, right: 24, bottom: 24 } },
    );
  }

  function accountPage(): View {
    const card = ([name, amount]: readonly [string, string]) =>
      row(
        [
          label(name, { size: 17 }, { id: "account_name", weight: 1 }),
          label(amount, { size: 18, weight: 600 }, { id: "account_balance" }),
        ],
        {
          padding: 20,
          margin: { left: 16, right: 16, top: 10 },
          look: { background: "#e6f2ee", radius: 18 },
        },
      );
    return column(
      [appBar("Accounts", { actions: [button("Sign out", "sign_out", signOut, "text")] }), ...ACCOUNTS.map(card)],
      { height: "fill" },
    );
  }

  return {
    activity: () => (isSignedIn ? `${PACKAGE}.AccountActivity` : `${PACKAGE}.LoginActivity`),
    content: () => (isSignedIn ? accountPage() : loginPage()),
    isSecure: () => isSignedIn,
  };
}
