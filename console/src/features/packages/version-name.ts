import { middleTruncate } from '../../ui/text/middle-truncate.ts';

/** What a version is called where there is little room: its name, else the ends of its id. */
export function versionName({ name, versionId }: { name?: string | undefined; versionId: string }): string {
  return name ?? middleTruncate(versionId, 16);
}
