import { Download } from 'lucide-react';
import { Button } from '../../ui/action/Button.tsx';
import { CopyButton } from '../../ui/text/CopyButton.tsx';
import { downloadText } from '../../ui/text/download-text.ts';
import { factorCopy as words } from './copy.ts';

/** Recovery codes, to be stored. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n');
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body text-ink2">{words.codesText}</p>
      <ul
        aria-label={words.codesWhat}
        dir="ltr"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-control border border-rivet/40 bg-rivet-wash p-4 font-mono text-mono text-ink min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} what={words.codesWhat} size="medium" />
        <Button
          icon={<Download size={15} aria-hidden />}
          onClick={() => downloadText('corral-recovery-codes.txt', 'text/plain', `${text}\n`)}
        >
          {words.download}
        </Button>
      </div>
    </div>
  );
}
