import { maxLength, nonEmpty, object, pipe, safeParse, string } from 'valibot';

const installedProperty = 'corral.installed';
/** A device may write anything: what no head has room for is among its properties alone. */
const name = pipe(string(), nonEmpty(), maxLength(100));
const schema = object({ package: name, version: name });

/** The package and the version that a device says it has installed; undefined where it says none. */
export function installedSoftware(
  properties: Readonly<Record<string, { readonly value: unknown }>>,
): string | undefined {
  const { success, output } = safeParse(schema, properties[installedProperty]?.value);
  return success ? `${output.package} ${output.version}` : undefined;
}
