import { formatSize } from '../../../ui/text/format-size.ts';
import { packagesCopy } from '../copy.ts';
import { versionName } from '../version-name.ts';
import type { TagChange } from './tag-change.ts';

const words = packagesCopy.setTag;

/** What a change of a tag means for the versions, the files and the devices. */
export function TagConsequences({ change }: { change: TagChange }) {
  const { tag, from, to, locked, differences, projects } = change;
  const name = versionName(to);
  const changed = differences?.files.filter((file) => file.change !== 'Same').length;
  return (
    <span className="flex flex-col gap-2">
      {from === undefined && <span>{words.adds(tag, name)}</span>}
      {from !== undefined && differences !== undefined && (
        <>
          <span>{words.moves(tag, versionName(from), name)}</span>
          <span>{words.differs(changed ?? 0, versionName(from), formatSize(differences.bytesToFetch))}</span>
        </>
      )}
      {locked && <span className="font-head text-ink">{words.locks(tag, name)}</span>}
      <span>{words.followers(projects)}</span>
    </span>
  );
}
