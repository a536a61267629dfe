/** Shapes on a grid of 24 by 24: outlines with a stroke of 2, or filled areas (even-odd). */
interface Icon {
  readonly stroke?: string;
  readonly fill?: string;
}

export type IconName =
  | "back"
  | "add"
  | "minus"
  | "check"
  | "close"
  | "more"
  | "search"
  | "send"
  | "delete"
  | "edit"
  | "person"
  | "chevron"
  | "wifi"
  | "signal"
  | "bluetooth"
  | "battery"
  | "apps"
  | "bell"
  | "sun"
  | "volume"
  | "lock"
  | "storage"
  | "gear"
  | "note"
  | "chat"
  | "bank"
  | "book"
  | "image"
  | "camera"
  | "globe"
  | "pin"
  | "star"
  | "backspace"
  | "shift"
  | "enter"
  | "clipboard"
  | "plane"
  | "torch"
  | "rotate"
  | "accessibility"
  | "info"
  | "calendar"
  | "shield"
  | "copy"
  | "share";

export const ICONS: Record<IconName, Icon> = {
  back: { stroke: "M20 12H5M11 6L5 12L11 18" },
  add: { stroke: "M12 5V19M5 12H19" },
  minus: { stroke: "M5 12H19" },
  check: { stroke: "M5 12.5L10 17.5L19.5 7" },
  close: { stroke: "M6 6L18 18M18 6L6 18" },
  more: { fill: "M12 4a2 2 0 1 0 .01 0ZM12 10a2 2 0 1 0 .01 0ZM12 16a2 2 0 1 0 .01 0Z" },
  search: { stroke: "M10.5 4.5a6 6 0 1 0 .01 0ZM15 15L20 20" },
  send: { fill: "M3 4L21.5 12L3 20L3 13.7L14 12L3 10.3Z" },
  delete: { stroke: "M5 7H19M9.5 7V4.5H14.5V7M7 7L8 20H16L17 7M10.3 11V16.5M13.7 11V16.5" },
  edit: { stroke: "M5 19L6 14.5L16.5 4L20 7.5L9.5 18ZM14 6.5L17.5 10" },
  person: { fill: "M12 4a4 4 0 1 0 .01 0ZM4 20C4 15.5 7.5 14 12 14S20 15.5 20 20Z" },
  chevron: { stroke: "M9 6L15 12L9 18" },
  wifi: { stroke: "M3 9.5C8 4.8 16 4.8 21 9.5M6.5 13C9.6 10.2 14.4 10.2 17.5 13", fill: "M12 15.2a2 2 0 1 0 .01 0Z" },
  signal: { fill: "M20 4V20H4Z" },
  bluetooth: { stroke: "M7 7.5L17 16.5L12 21V3L17 7.5L7 16.5" },
  battery: { fill: "M9.5 2H14.5V4H17.5V22H6.5V4H9.5Z" },
  apps: { fill: "M5 5H9V9H5ZM15 5H19V9H15ZM5 15H9V19H5ZM15 15H19V19H15Z" },
  bell: { stroke: "M6 17V11C6 7.5 8.5 5.5 12 5.5S18 7.5 18 11V17ZM4.5 17H19.5M10.5 20H13.5M12 5.5V3.5" },
  sun: {
    stroke:
      "M12 8a4 4 0 1 0 .01 0ZM12 2.5V4M12 20V21.5M2.5 12H4M20 12H21.5M5.3 5.3L6.3 6.3M17.7 17.7L18.7 18.7M18.7 5.3L17.7 6.3M6.3 17.7L5.3 18.7",
  },
  volume: { stroke: "M4 10V14H7.5L12 18V6L7.5 10ZM15 9C16.8 10.5 16.8 13.5 15 15M17.5 6.5C21 9.5 21 14.5 17.5 17.5" },
  lock: { stroke: "M8 10V7.5A4 4 0 0 1 16 7.5V10", fill: "M5.5 10H18.5V20.5H5.5ZM12 13.5a1.6 1.6 0 1 0 .01 0Z" },
  storage: { stroke: "M4 6H20V18H4ZM4 14H20M7 16.2H8" },
  gear: {
    stroke:
      "M12 8.5a3.5 3.5 0 1 0 .01 0ZM12 3V5.5M12 18.5V21M3 12H5.5M18.5 12H21M5.6 5.6L7.4 7.4M16.6 16.6L18.4 18.4M18.4 5.6L16.6 7.4M7.4 16.6L5.6 18.4",
  },
  note: { stroke: "M6 3.5H18V20.5H6ZM9 8H15M9 12H15M9 16H12.5" },
  chat: {
    stroke: "M4 5H20V16.5H10L6 20V16.5H4Z",
    fill: "M8 9.8a1.2 1.2 0 1 0 .01 0ZM12 9.8a1.2 1.2 0 1 0 .01 0ZM16 9.8a1.2 1.2 0 1 0 .01 0Z",
  },
  bank: { stroke: "M4 9.5L12 4.5L20 9.5ZM6 12V17M10 12V17M14 12V17M18 12V17M4 20H20" },
  book: {
    stroke:
      "M12 6.5C10 4.8 7 4.5 4 4.8V18.5C7 18.2 10 18.5 12 20C14 18.5 17 18.2 20 18.5V4.8C17 4.5 14 4.8 12 6.5ZM12 6.5V20",
  },
  image: { stroke: "M4 5H20V19H4Z", fill: "M5 17L10 11L13.5 15L15.5 13L19 17ZM15.5 7.5a1.7 1.7 0 1 0 .01 0Z" },
  camera: { stroke: "M4 8H7.5L9.5 5.5H14.5L16.5 8H20V19H4ZM12 10a3.3 3.3 0 1 0 .01 0Z" },
  globe: { stroke: "M12 3.5a8.5 8.5 0 1 0 .01 0ZM12 3.5C8 8 8 16 12 20.5C16 16 16 8 12 3.5ZM3.8 12H20.2" },
  pin: { stroke: "M12 21C8 16 5.5 13 5.5 9.5A6.5 6.5 0 0 1 18.5 9.5C18.5 13 16 16 12 21ZM12 7.5a2 2 0 1 0 .01 0Z" },
  star: { fill: "M12 3L14.7 9.2L21.4 9.8L16.3 14.2L17.9 20.8L12 17.3L6.1 20.8L7.7 14.2L2.6 9.8L9.3 9.2Z" },
  backspace: { stroke: "M9 6H21V18H9L3.5 12ZM12 9.5L17 14.5M17 9.5L12 14.5" },
  shift: { stroke: "M12 4.5L4.5 12H8.5V18.5H15.5V12H19.5Z" },
  enter: { stroke: "M19 6V13H5.5M9.5 9L5.5 13L9.5 17" },
  clipboard: { stroke: "M6 5H18V20H6ZM9 3.5H15V7H9Z" },
  plane: {
    fill: "M10.7 3.5C10.7 2.2 13.3 2.2 13.3 3.5V9L21 14V16L13.3 13.5V18.5L15.5 20.3V21.7L12 20.6L8.5 21.7V20.3L10.7 18.5V13.5L3 16V14L10.7 9Z",
  },
  torch: { stroke: "M8 3H16V7L14 10.5V21H10V10.5L8 7Z" },
  rotate: { stroke: "M4.5 12A7.5 7.5 0 0 1 18 7.5M18 3.5V7.5H14M19.5 12A7.5 7.5 0 0 1 6 16.5M6 20.5V16.5H10" },
  accessibility: {
    stroke: "M4 8.5C9 10 15 10 20 8.5M12 9.5V13L9 20.5M12 13L15 20.5",
    fill: "M12 2.8a2.1 2.1 0 1 0 .01 0Z",
  },
  info: { stroke: "M12 3.5a8.5 8.5 0 1 0 .01 0ZM12 11V16.5", fill: "M12 6.8a1.3 1.3 0 1 0 .01 0Z" },
  calendar: { stroke: "M5 5.5H19V20H5ZM5 10H19M8.5 3.5V7M15.5 3.5V7" },
  shield: { stroke: "M12 3.5L19 6V12C19 16.5 16 19.5 12 21C8 19.5 5 16.5 5 12V6Z" },
  copy: { stroke: "M8.5 8.5H19.5V20H8.5ZM15.5 8.5V4H4.5V15.5H8.5" },
  share: {
    stroke:
      "M17 5a1.5 1.5 0 1 0 .01 0ZM6.5 10.5a1.5 1.5 0 1 0 .01 0ZM17 16a1.5 1.5 0 1 0 .01 0ZM8 11.2L15.6 7.3M8 12.8L15.6 16.7",
  },
};
