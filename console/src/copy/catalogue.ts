/** Texts by name: strings, lists, functions that make a string, and groups of them. */
export type Texts = {
  readonly [name: string]: string | readonly string[] | ((...values: never[]) => string) | Texts;
};

/** A translation of texts. What is missing stays English. */
export type Translation<Of> = {
  readonly [Name in keyof Of]?: Of[Name] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : Of[Name] extends string
      ? string
      : Of[Name] extends readonly string[]
        ? readonly string[]
        : Translation<Of[Name]>;
};

let translations: Readonly<Record<string, unknown>> = {};

/** The texts of one part of the console in the current language: read them while rendering, not when a module is loaded. */
export function catalogue<const Of extends Texts>(name: string, english: Of): Of {
  return translated(english, () => translations[name]);
}

/** Translates catalogues, by their names. Texts that are already on the screen change with their next rendering. */
export function translate(catalogues: Readonly<Record<string, Translation<Texts>>>): void {
  translations = catalogues;
}

function translated<Of extends Texts>(english: Of, translation: () => unknown): Of {
  const own = (name: string) => (translation() as Readonly<Record<string, unknown>> | undefined)?.[name];
  const groups = new Map(
    Object.entries(english).flatMap(([name, value]) =>
      typeof value === 'object' && !Array.isArray(value)
        ? [[name, translated(value as Texts, () => own(name))] as const]
        : [],
    ),
  );
  return new Proxy(english, {
    get: (_, name: string) => groups.get(name) ?? own(name) ?? english[name],
  });
}
