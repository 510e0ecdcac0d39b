import { object, safeParse, string } from 'valibot';

const installedProperty = 'corral.installed';
const schema = object({ package: string(), version: string() });

/** The package and the version that a device says it has installed; undefined where it says none. */
export function installedSoftware(
  properties: Readonly<Record<string, { readonly value: unknown }>>,
): string | undefined {
  const { success, output } = safeParse(schema, properties[installedProperty]?.value);
  return success ? `${output.package} ${output.version}` : undefined;
}
