import type { Phone } from "../../phone/phone.ts";

/** The networks as the settings have them, in the layout of Android 14. */
export function dumpConnectivity({ settings }: Phone): string {
  const agents = [
    settings.isOn("global", "wifi_on") &&
      '  NetworkAgentInfo{network{100}  handle{432902426637}  ni{WIFI CONNECTED extra: "FarhandNet"} created validated lp{{InterfaceName: wlan0}}  nc{[ Transports: WIFI Capabilities: NOT_METERED&INTERNET&VALIDATED SSID: "FarhandNet"]}  factorySerialNumber=10}\n',
    settings.isOn("global", "mobile_data") &&
      "  NetworkAgentInfo{network{101}  handle{437197393933}  ni{MOBILE[LTE] CONNECTED extra: internet} created validated lp{{InterfaceName: rmnet0}}  nc{[ Transports: CELLULAR Capabilities: INTERNET&VALIDATED]}  factorySerialNumber=11}\n",
  ].filter((line) => line !== false);
  const active = /network\{(\d+)\}/.exec(agents[0] ?? "")?.[1] ?? "none";
  return `NetworkFactories for: 10 11\n\nActive default network: ${active}\n\nCurrent Networks:\n${agents.join("")}`;
}
