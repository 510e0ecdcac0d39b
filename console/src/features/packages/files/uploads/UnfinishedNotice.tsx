import { Button } from '../../../../ui/action/Button.tsx';
import { Notice } from '../../../../ui/layout/Notice.tsx';
import { uploadsCopy as words } from './copy.ts';

/** More would fill the screen of a phone. */
const maxNames = 5;

/** Says which files an earlier page did not upload completely: the hub has a part of them, which is used when they are chosen again. */
export function UnfinishedNotice({
  filenames,
  onForget,
}: {
  filenames: readonly string[];
  onForget: () => void;
}) {
  if (filenames.length === 0) return null;
  const named = filenames.slice(0, maxNames);
  return (
    <div className="border-b border-line p-3">
      <Notice
        title={words.unfinished(named.join(', '), filenames.length - named.length)}
        actions={
          <Button size="small" onClick={onForget}>
            {words.forget}
          </Button>
        }
      />
    </div>
  );
}
