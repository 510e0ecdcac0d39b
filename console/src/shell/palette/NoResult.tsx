import { paletteCopy } from './copy.ts';
import { Button } from '../../ui/action/Button.tsx';

/** Shown when nothing matches: what the palette can find, with examples. */
export function NoResult({ text, onTry }: { text: string; onTry: (text: string) => void }) {
  return (
    <div className="flex flex-col gap-3 px-4.5 py-6">
      <p className="text-section wrap-anywhere">{paletteCopy.noneTitle(text)}</p>
      <p className="max-w-[60ch] text-body text-ink2">{paletteCopy.noneText}</p>
      <div className="flex flex-wrap gap-2">
        {paletteCopy.examples.map((example) => (
          <Button key={example} size="small" onClick={() => onTry(example)}>
            {example}
          </Button>
        ))}
      </div>
    </div>
  );
}
