import { z } from 'zod';
import { ConfigError } from './ConfigError.ts';

/** A script that the console loads when it starts. */
export interface RuntimeScript {
  readonly src: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const allowedAttribute =
  /^(?:async|defer|type|integrity|crossorigin|referrerpolicy|nomodule|data-[a-z0-9-]+)$/;
const integrity = /^(?:sha(?:256|384|512)-[A-Za-z0-9+/]+={0,2}\s*)+$/;

const scriptTables = z.array(
  z.strictObject({
    src: z.string(),
    attributes: z.record(z.string(), z.union([z.string(), z.boolean(), z.number()])).default({}),
    'allow-unpinned': z.boolean().default(false),
  }),
);

/** Reads the `[[scripts]]` tables; a script of another origin must have an integrity hash. Throws `ConfigError`. */
export function readScripts(tables: unknown, publicUrl: string): readonly RuntimeScript[] {
  if (tables === undefined) return [];
  const parsed = scriptTables.safeParse(tables);
  if (!parsed.success)
    throw new ConfigError('Each [[scripts]] has a src, and may have attributes and allow-unpinned.');
  return parsed.data.map((table) => {
    const script = { src: table.src, attributes: textAttributes(table.attributes) };
    checkAttributes(script);
    checkIntegrity(script);
    checkSource(script, publicUrl, table['allow-unpinned']);
    return script;
  });
}

/** `true` becomes an attribute without a value, `false` omits it. */
function textAttributes(
  attributes: Readonly<Record<string, string | boolean | number>>,
): Record<string, string> {
  const written = Object.entries(attributes).filter(([, value]) => value !== false);
  return Object.fromEntries(
    written.map(([name, value]) => [name.toLowerCase(), value === true ? '' : String(value)]),
  );
}

function checkAttributes({ src, attributes }: RuntimeScript): void {
  const refused = Object.keys(attributes).find((name) => !allowedAttribute.test(name));
  if (refused !== undefined)
    throw new ConfigError(
      `The attribute ${refused} of the script ${src} is not allowed: async, defer, type, integrity, crossorigin, referrerpolicy, nomodule and data-* are.`,
    );
}

/** Browsers ignore a malformed integrity, and would load the script unchecked. */
function checkIntegrity({ src, attributes }: RuntimeScript): void {
  const written = attributes['integrity'];
  if (written === undefined || integrity.test(written)) return;
  throw new ConfigError(
    `The integrity "${written}" of the script ${src} in [[scripts]] is malformed: it must be sha256-, sha384- or sha512- and the digest in base64.`,
  );
}

function checkSource(
  { src, attributes }: RuntimeScript,
  publicUrl: string,
  isUnpinnedAllowed: boolean,
): void {
  if (!URL.canParse(src, publicUrl))
    throw new ConfigError(`The src ${src} in [[scripts]] is not a web address.`);
  const url = new URL(src, publicUrl);
  if (!['http:', 'https:'].includes(url.protocol))
    throw new ConfigError(`The src ${src} in [[scripts]] must be an http or https address.`);
  if (url.origin === new URL(publicUrl).origin || isUnpinnedAllowed) return;
  if (attributes['integrity'] === undefined)
    throw new ConfigError(
      `The script ${src} in [[scripts]] comes from another origin: pin it with the attribute integrity, or set allow-unpinned = true.`,
    );
}
