/** The part of the POSIX shell grammar that a phone's mksh is asked to run. */
export type WordPart =
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly operator: string;
      readonly argument: Word;
      readonly isQuoted: boolean;
    }
  | { readonly kind: "substitution"; readonly script: string; readonly isQuoted: boolean }
  | { readonly kind: "arithmetic"; readonly expression: Word };

export type Word = readonly WordPart[];

export interface Redirection {
  readonly fd: number;
  readonly kind: "read" | "write" | "append" | "duplicate";
  readonly target: Word;
}

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

export interface CaseBranch {
  readonly patterns: readonly Word[];
  readonly body: Script;
}

export type Command = { readonly redirections: readonly Redirection[] } & (
  | { readonly kind: "simple"; readonly assignments: readonly Assignment[]; readonly words: readonly Word[] }
  | { readonly kind: "group"; readonly body: Script }
  | { readonly kind: "subshell"; readonly body: Script }
  | {
      readonly kind: "if";
      readonly branches: readonly { condition: Script; body: Script }[];
      readonly otherwise: Script;
    }
  | { readonly kind: "for"; readonly variable: string; readonly words: readonly Word[]; readonly body: Script }
  | { readonly kind: "while"; readonly isUntil: boolean; readonly condition: Script; readonly body: Script }
  | { readonly kind: "case"; readonly subject: Word; readonly branches: readonly CaseBranch[] }
);

export interface Pipeline {
  readonly isNegated: boolean;
  readonly commands: readonly Command[];
}

export interface Statement {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly pipeline: Pipeline }[];
  readonly isBackground: boolean;
}

export type Script = readonly Statement[];

export class ShellSyntaxError extends Error {
  override name = "ShellSyntaxError";
}
