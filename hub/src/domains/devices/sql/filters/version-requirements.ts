import { setImmediate as nextTurn } from 'node:timers/promises';
import { FilterError } from '@corral/contract';
import { meetsRequirement } from '@corral/expressions';

/** So many versions are compared with a requirement at most. */
export const maxVersions = 1_000;
const charactersPerTurn = 5_000;

/** The versions that meet a valid requirement; a text that is no version meets none. The event loop gets turns in between. Throws a `FilterError` where there are too many. */
export async function versionsThatMeet(
  versions: readonly string[],
  requirement: string,
  { field, at }: { readonly field: string; readonly at: number },
): Promise<string[]> {
  if (versions.length > maxVersions)
    throw new FilterError(
      `"${field}" has more than ${maxVersions.toLocaleString('en')} different values, too many to compare with a version requirement.`,
      at,
    );
  const meeting: string[] = [];
  for (const [index, version] of versions.entries()) {
    // A comparison takes some microseconds for each character of the requirement.
    if (index % Math.ceil(charactersPerTurn / requirement.length) === 0) await nextTurn();
    if (meets(version, requirement)) meeting.push(version);
  }
  return meeting;
}

function meets(version: string, requirement: string): boolean {
  try {
    return meetsRequirement(version, requirement);
  } catch {
    return false;
  }
}
