/** The content of one editable field and where its cursor is. Positions are UTF-16 offsets at grapheme borders. */
export interface TextField {
  value: string;
  selectionStart: number;
  selectionEnd: number;
  readonly isPassword: boolean;
  readonly isMultiline: boolean;
  readonly isNumeric: boolean;
  readonly maxLength: number;
  /** What the Enter key does in a single-line field. */
  readonly onSubmit?: () => void;
}

export interface TextFieldOptions {
  readonly value?: string;
  readonly isPassword?: boolean;
  readonly isMultiline?: boolean;
  readonly isNumeric?: boolean;
  readonly maxLength?: number;
  readonly onSubmit?: () => void;
}

export function createTextField(options: TextFieldOptions = {}): TextField {
  const value = options.value ?? "";
  return {
    value,
    selectionStart: value.length,
    selectionEnd: value.length,
    isPassword: options.isPassword ?? false,
    isMultiline: options.isMultiline ?? false,
    isNumeric: options.isNumeric ?? false,
    maxLength: options.maxLength ?? 20_000,
    ...(options.onSubmit && { onSubmit: options.onSubmit }),
  };
}

export function setFieldValue(field: TextField, value: string): void {
  field.value = value;
  field.selectionStart = value.length;
  field.selectionEnd = value.length;
}

/** Replaces the selection. Line breaks become spaces in a single-line field, as in Android's EditText. */
export function insertText(field: TextField, text: string): void {
  const [start, end] = selectionOf(field);
  const clean = field.isMultiline ? text.replace(/\r\n?/g, "\n") : text.replace(/[\r\n]+/g, " ");
  const room = field.maxLength - (field.value.length - (end - start));
  const allowed = (field.isNumeric ? clean.replace(/\D/g, "") : clean).slice(0, Math.max(0, room));
  field.value = field.value.slice(0, start) + allowed + field.value.slice(end);
  moveTo(field, start + allowed.length);
}

export function deleteBackward(field: TextField): void {
  const [start, end] = selectionOf(field);
  cut(field, start === end ? previousBorder(field.value, start) : start, end);
}

export function deleteForward(field: TextField): void {
  const [start, end] = selectionOf(field);
  cut(field, start, start === end ? nextBorder(field.value, end) : end);
}

function cut(field: TextField, start: number, end: number): void {
  field.value = field.value.slice(0, start) + field.value.slice(end);
  moveTo(field, start);
}

export type Movement = "left" | "right" | "start" | "end";

export function moveCursor(field: TextField, movement: Movement, extendsSelection: boolean): void {
  const at = field.selectionEnd;
  const targets: Record<Movement, number> = {
    left: previousBorder(field.value, at),
    right: nextBorder(field.value, at),
    start: field.value.lastIndexOf("\n", at - 1) + 1,
    end: endOfLine(field.value, at),
  };
  field.selectionEnd = targets[movement];
  if (!extendsSelection) field.selectionStart = field.selectionEnd;
}

export function moveTo(field: TextField, position: number): void {
  field.selectionStart = position;
  field.selectionEnd = position;
}

export function selectAll(field: TextField): void {
  field.selectionStart = 0;
  field.selectionEnd = field.value.length;
}

export function selectedText(field: TextField): string {
  return field.value.slice(...selectionOf(field));
}

function selectionOf(field: TextField): [number, number] {
  const bounded = [field.selectionStart, field.selectionEnd]
    .map((at) => Math.min(at, field.value.length))
    .sort((a, b) => a - b);
  return [bounded[0] ?? 0, bounded[1] ?? 0];
}

/** What is shown: passwords as bullets, one for each character. */
export function shownText(field: TextField): string {
  return field.isPassword ? "•".repeat([...graphemes.segment(field.value)].length) : field.value;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function previousBorder(text: string, at: number): number {
  let border = 0;
  for (const { index } of graphemes.segment(text)) {
    if (index >= at) break;
    border = index;
  }
  return border;
}

function nextBorder(text: string, at: number): number {
  for (const { index } of graphemes.segment(text)) if (index > at) return index;
  return text.length;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
