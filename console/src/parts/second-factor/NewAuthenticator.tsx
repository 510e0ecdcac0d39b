import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { factorCopy as words } from './copy.ts';

/** The secret of a new authenticator, as a picture to scan and as a text to type. */
export function NewAuthenticator({ secret, qrSvg }: { secret: string; qrSvg: string }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body text-ink2">{words.scan}</p>
      {/* Scanners want dark on light, in both themes. */}
      <img
        alt={words.picture}
        src={`data:image/svg+xml;utf8,${encodeURIComponent(qrSvg)}`}
        className="size-44 self-center rounded-card border border-line bg-white p-1.5"
      />
      <div className="flex flex-col gap-1.5">
        <p className="text-body text-ink2">{words.typeInstead}</p>
        <CodeBlock code={(secret.match(/.{1,4}/g) ?? []).join(' ')} what={words.secret} />
      </div>
    </div>
  );
}
