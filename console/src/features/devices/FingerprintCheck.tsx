import { devicesCopy } from './copy.ts';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { CopyButton } from '../../ui/text/CopyButton.tsx';
import { Fingerprint } from './Fingerprint.tsx';

/** A fingerprint to compare, and the command that prints it on the device; by default that of an installed agent. */
export function FingerprintCheck({
  fingerprint,
  label,
  command = devicesCopy.fingerprint.command,
}: {
  fingerprint: string;
  label: string;
  command?: string;
}) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start gap-1.5">
        <Fingerprint value={fingerprint} />
        <CopyButton text={fingerprint} what={devicesCopy.fingerprint.what} variant="quiet" isIconOnly />
      </div>
      <div className="flex flex-col gap-1.5">
        <span className="text-small text-ink3">{label}</span>
        <CodeBlock code={command} what={devicesCopy.fingerprint.commandWhat} prompt="$" />
      </div>
    </div>
  );
}
