/** Package and class with a slash between them, the class in full or from its dot on. */
export const componentPattern = /^[A-Za-z]\w*(?:\.\w+)+\/\.?[A-Za-z_]\w*(?:[.$]\w+)*$/;

/** As Android names input methods: the class without its package where that is the app's. ComponentName.flattenToShortString. */
export function shortComponent(name: string): string {
  const [app = "", className = ""] = name.split("/");
  return className.startsWith(`${app}.`) ? `${app}/${className.slice(app.length)}` : name;
}

export const packageOf = (component: string) => component.split("/")[0] ?? "";
