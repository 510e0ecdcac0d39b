import type { AuditLogEvent } from '@corral/contract';
import { auditSentence } from './audit-sentence.ts';
import type { IdContext } from './id-path.ts';
import { useFollowPath } from './use-follow-path.ts';

/** What an entry of a log says, as a sentence whose subjects lead to their pages. */
export function AuditSentence({ entry, known }: { entry: AuditLogEvent; known: Omit<IdContext, 'data'> }) {
  return (
    <span className="wrap-anywhere">
      {auditSentence(entry, known).map(({ text, isSubject, path }, index) => {
        if (path !== undefined) return <SubjectLink key={index} {...{ text, path }} />;
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

function SubjectLink({ text, path }: { text: string; path: string }) {
  return (
    <a
      href={path}
      onClick={useFollowPath(path)}
      className="rounded-control font-head underline decoration-line underline-offset-3 hover:text-denim hover:decoration-current"
    >
      {text}
    </a>
  );
}
