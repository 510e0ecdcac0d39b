import type { Id, Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { CircleArrowUp, CircleX, FileWarning, Mail, ScrollText, UserPlus } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { orToast } from '../../../parts/or-toast.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { ButtonLink } from '../../../ui/action/ButtonLink.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { formatRelative, toMs } from '../../../ui/time/format-time.ts';
import { useNow } from '../../../ui/time/use-now.ts';
import { jobsCopy } from '../jobs/copy.ts';
import { retryJob } from '../jobs/jobs.ts';
import type { PendingRegistration } from '../users/users-view.ts';
import { dashboardCopy as words } from './copy.ts';
import type { Failures } from './FailuresCard.tsx';
import type { AdminNeed } from './NeedsCard.tsx';
import type { WaitingMail } from './waiting-mails.ts';

type Statistics = Output<'instance_GetInstanceStatistics'>;
type Damaged = NonNullable<Statistics['damagedAssets']>;

interface Facts {
  readonly failures: readonly Failures[];
  /** Those that were tried in vain. */
  readonly mails: readonly WaitingMail[];
  readonly registrations: readonly PendingRegistration[];
  readonly damaged: Damaged | undefined;
  readonly isLogIntact: boolean;
  readonly release: Statistics['newerRelease'];
}

const iconOf = (Icon: typeof Mail, tone: string) => <Icon size={16} aria-hidden className={tone} />;

/** What needs an administrator, the most urgent first. */
export function useAdminNeeds({
  failures,
  mails,
  registrations,
  damaged,
  isLogIntact,
  release,
}: Facts): AdminNeed[] {
  const now = useNow('minute');
  const oldest = (times: readonly string[]) =>
    words.oldest(formatRelative(Math.min(...times.map(toMs)), now));
  const needs: AdminNeed[] = [];
  if (!isLogIntact)
    needs.push({
      key: 'log',
      icon: iconOf(ScrollText, 'text-danger'),
      subject: words.log,
      text: words.logText,
      action: (
        <NeedLink link={<Link to="/admin/settings" />} name={words.showOf(words.log)} label={words.show} />
      ),
    });
  if (damaged !== undefined)
    needs.push({
      key: 'damaged',
      icon: iconOf(FileWarning, 'text-danger'),
      subject: words.damaged(damaged.count),
      text: words.damagedText(damaged.count),
      detail: <DamagedRepositories repositories={damaged.repositories} />,
    });
  for (const one of failures.filter(({ isFailing }) => isFailing))
    needs.push({
      key: `job ${one.job}`,
      icon: iconOf(CircleX, 'text-danger'),
      subject: one.job,
      text: words.failed(one.failures),
      detail: [formatRelative(toMs(one.failedAt), now), one.error].filter(Boolean).join(' · '),
      action: <RetryButton failures={one} />,
    });
  if (mails.length > 0)
    needs.push({
      key: 'mails',
      icon: iconOf(Mail, 'text-warn'),
      subject: words.mails(mails.length),
      text: words.mailsText,
      detail: oldest(mails.map(({ queuedAt }) => queuedAt)),
      action: (
        <NeedLink
          link={<Link to="/admin/settings" />}
          name={words.showOf(words.mails(mails.length))}
          label={words.show}
        />
      ),
    });
  if (registrations.length > 0)
    needs.push({
      key: 'people',
      icon: iconOf(UserPlus, 'text-warn'),
      subject: words.people(registrations.length),
      text: words.peopleText(registrations.length),
      detail: oldest(registrations.map(({ createdAt }) => createdAt)),
      action: (
        <NeedLink
          link={<Link to="/admin/users" />}
          name={words.reviewOf(words.people(registrations.length))}
          label={words.review}
        />
      ),
    });
  if (release !== undefined)
    needs.push({
      key: 'release',
      icon: iconOf(CircleArrowUp, 'text-ink2'),
      subject: words.release(release.version),
      text: words.releaseText,
      detail: <span className="whitespace-pre-line">{release.notes}</span>,
      action: (
        <NeedLink
          link={<Link to="/docs/$" params={{ _splat: 'operations/upgrade' }} />}
          name={words.upgradeTo(words.release(release.version))}
          label={words.upgrade}
        />
      ),
    });
  return needs;
}

function NeedLink({ link, name, label }: { link: ReactElement; name: string; label: ReactNode }) {
  return (
    <ButtonLink render={link} size="small" label={name}>
      {label}
    </ButtonLink>
  );
}

function RetryButton({ failures: { job, jobId } }: { failures: Failures }) {
  const run = useRun();
  const retried = () => showToast(jobsCopy.retried(job), { tone: 'ok' });
  return (
    <Button
      isWrite
      size="small"
      label={jobsCopy.retryOf(job)}
      onClick={() =>
        orToast(jobsCopy.notRetried(job), run(retryJob, { jobId: jobId as Id<'job'> }).then(retried))
      }
    >
      {jobsCopy.retry}
    </Button>
  );
}

function DamagedRepositories({ repositories }: Pick<Damaged, 'repositories'>) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {repositories.map(({ repositoryId, name, count }) => (
        <li key={repositoryId}>
          <TextLink render={<Link to="/repositories/$repositoryId/assets" params={{ repositoryId }} />}>
            {words.damagedOf(name, count)}
          </TextLink>
        </li>
      ))}
    </ul>
  );
}
