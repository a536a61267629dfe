import { CodedError } from "../../../shared/errors.ts";
import type { ParsedDump } from "./parse-dump.ts";

/** What went wrong with a dump: from what `uiautomator` said, else from what its file held. */
export function dumpFailure(said: string, xml: string, parsed: ParsedDump): CodedError {
  const cause = `${said}\n${xml.slice(0, 500)}`;
  if (/could not get idle state/i.test(said)) {
    return new CodedError("ui_not_idle", "The screen keeps moving, so the phone gives no tree.", { cause });
  }
  if (/already registered/i.test(said)) {
    return new CodedError("ui_unavailable", "Another automation tool holds the phone's accessibility service.", {
      hint: "Stop the other tool (Appium, uiautomator2, an accessibility test), then call again.",
      cause,
    });
  }
  if (/null root node/i.test(said)) {
    return new CodedError("ui_unavailable", "The phone has no window to describe at this moment.", { cause });
  }
  if (/^\s*Killed\s*$/m.test(said)) {
    return new CodedError("ui_unavailable", "The phone ended the program that describes the screen.", {
      hint: "If it happens again, another automation tool may be running on the phone.",
      cause,
    });
  }
  if (!parsed.ok && parsed.reason === "main_display_only") {
    return new CodedError("unsupported", "This phone describes its main display only.", {
      hint: "Use take_screenshot with this display and coordinates of that picture.",
      cause,
    });
  }
  if (!parsed.ok && parsed.reason === "no_window") {
    return new CodedError("ui_unavailable", "There is no window to describe on that display.", { cause });
  }
  if (parsed.ok) return new CodedError("ui_unavailable", "The screen in front describes nothing of itself.", { cause });
  if (parsed.reason === "truncated") {
    return new CodedError("ui_unavailable", "The phone's tree of the screen broke off.", { cause });
  }
  if (parsed.reason === "appium_page_source") {
    return new CodedError("ui_unavailable", "The phone answered with the page source of an Appium server.", { cause });
  }
  return new CodedError("ui_unavailable", "The phone gave no tree of the screen.", { cause });
}
