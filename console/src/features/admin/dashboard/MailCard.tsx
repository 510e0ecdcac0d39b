import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { copyIssuedLink, IssuedLink, type IssuedLinkOf } from '../../../parts/IssuedLink.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { EmailText } from '../../../ui/text/EmailText.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { usersCopy } from '../users/copy.ts';
import { issuePasswordLink, issueRegistrationLink } from '../users/mutations.ts';
import { ListTitle } from './Facts.tsx';
import { dashboardCopy as words } from './copy.ts';
import type { WaitingMail } from './waiting-mails.ts';

const shownMails = 6;

/** The e-mails that nobody gets, with the links that an administrator can pass on instead. */
export function MailCard({ mails, text }: { mails: readonly WaitingMail[]; text: string | undefined }) {
  const [link, setLink] = useState<IssuedLinkOf>();
  return (
    <Card
      isFlush
      title={<ListTitle link={<Link to="/admin/users" />}>{words.waitingMail}</ListTitle>}
      actions={
        <span className="tabular text-small text-ink2">{text ?? mails.length.toLocaleString('en')}</span>
      }
    >
      <ul className="divide-y divide-line">
        {mails.slice(0, shownMails).map((mail) => (
          <MailRow key={mail.mailId} mail={mail} onLink={setLink} />
        ))}
      </ul>
      {mails.length > shownMails && (
        <p className="border-t border-line px-4.5 py-2 text-small text-ink2">
          {words.moreMails(mails.length - shownMails)}
        </p>
      )}
      <IssuedLink {...usersCopy.issued} once link={link} onClose={() => setLink(undefined)} />
    </Card>
  );
}

function MailRow({ mail, onLink }: { mail: WaitingMail; onLink: (link: IssuedLinkOf) => void }) {
  const { kind, email, userId, queuedAt } = mail;
  const run = useRun();
  const issues = { Activation: issueRegistrationLink, PasswordLink: issuePasswordLink };
  const issue = kind === 'Activation' || kind === 'PasswordLink' ? issues[kind] : undefined;
  const linkWords = { copied: usersCopy.linkCopied, failed: usersCopy.notIssued };
  return (
    <li className="flex min-h-9.5 flex-wrap items-center gap-x-4 gap-y-0.5 px-4.5 py-1.5 text-body">
      <span className="font-head">
        <EmailText email={email} />
      </span>
      <span className="min-w-0 flex-1 text-ink2">{words.mailKinds[kind]}</span>
      <span className="text-ink2">
        <RelativeTime at={queuedAt} />
      </span>
      {issue !== undefined && userId !== undefined && (
        <Button
          isWrite
          size="small"
          variant="quiet"
          icon={<Link2 size={15} aria-hidden />}
          label={usersCopy.copyLinkOf(email)}
          onClick={() =>
            copyIssuedLink(email, run(issue, { userId: userId as Id<'user'> }), linkWords, onLink)
          }
        >
          {usersCopy.copyLink}
        </Button>
      )}
    </li>
  );
}
