import pg from 'pg';

/** How many texts are worth a name; those that differ from call to call, by the length of a list, would fill the server's memory. */
const mostNames = 400;
const names = new Map<string, string>();

/** The name of a statement, the same on every connection; undefined once there are too many. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

interface Named {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A connection on which every statement with parameters is parsed and planned once, since the hub's statements are few and come again and again. */
export class PreparingClient extends pg.Client {
  // The library has a dozen signatures; what comes with a text and values is named, all else passes as it is.
  override query(config: unknown, values?: unknown, callback?: unknown): never {
    const run = super.query.bind(this) as (...args: unknown[]) => never;
    if (typeof config !== 'string' || !Array.isArray(values) || values.length === 0)
      return run(config, values, callback);
    const name = nameOf(config);
    const named: Named = { ...(name === undefined ? {} : { name }), text: config, values };
    return callback === undefined ? run(named) : run(named, callback);
  }
}
