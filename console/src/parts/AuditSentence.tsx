import type { AuditLogEvent } from '@corral/contract';
import { auditSentence, type SentencePiece } from './audit-sentence.ts';
import type { IdContext } from './id-path.ts';
import { PathLink } from './PathLink.tsx';

/** What an entry of a log says, as a sentence whose subjects lead to their pages. */
export function AuditSentence({ entry, known }: { entry: AuditLogEvent; known: Omit<IdContext, 'data'> }) {
  return <Sentence pieces={auditSentence(entry, known)} />;
}

/** A sentence whose subjects lead to their pages. */
export function Sentence({ pieces }: { pieces: readonly SentencePiece[] }) {
  return (
    <span className="wrap-anywhere">
      {pieces.map(({ text, isSubject, path }, index) => {
        if (path !== undefined) return <PathLink key={index} {...{ text, path }} />;
        return isSubject ? (
          <b key={index} className="font-head">
            {text}
          </b>
        ) : (
          text
        );
      })}
    </span>
  );
}
