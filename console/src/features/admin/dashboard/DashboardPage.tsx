import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { InventedNote } from '../../../parts/history/InventedNote.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useIsMailConfigured } from '../../../parts/use-is-mail-configured.ts';
import { Page } from '../../../ui/layout/Page.tsx';
import { BusNotice } from '../cluster/BusNotice.tsx';
import { auditSealsQuery } from '../settings/settings.ts';
import { registrationsQuery } from '../users/users-view.ts';
import { dashboardCopy as words } from './copy.ts';
import { ConnectedCard } from './ConnectedCard.tsx';
import { Columns } from './Facts.tsx';
import { FailuresCard } from './FailuresCard.tsx';
import { MailCard } from './MailCard.tsx';
import { NeedsCard } from './NeedsCard.tsx';
import { NodeCards } from './NodeCards.tsx';
import { StatisticCard } from './StatisticCard.tsx';
import { failuresQuery, nodesQuery, statisticsQuery, waitingMailsQuery, weekQuery } from './statistics.ts';
import { StorageCard } from './StorageCard.tsx';
import { useAdminNeeds } from './use-admin-needs.tsx';
import { waitingMails } from './waiting-mails.ts';
import { devicesOf, lineOf, nodesOf } from './week.ts';

/** The dashboard of the administration: what the instance has and how it changed, what needs an administrator, and how its nodes are. */
export function DashboardPage() {
  const { data: counts } = useLoadedQuery(statisticsQuery());
  const { data: cluster, dataUpdatedAt } = useLoadedQuery(nodesQuery());
  const { data: week } = useQuery(weekQuery());
  const { types: failures = [] } = useQuery(failuresQuery()).data ?? {};
  const { mails: queued = [] } = useQuery(waitingMailsQuery()).data ?? {};
  const { registrations = [] } = useQuery(registrationsQuery()).data ?? {};
  const { data: seals } = useQuery(auditSealsQuery());
  const isMailConfigured = useIsMailConfigured();
  const { devices, projects, users, connectedDevices, damagedAssets, newerRelease, storage } = counts;
  const { nodes } = cluster;
  const needs = useAdminNeeds({
    failures,
    mails: queued,
    registrations,
    damaged: damagedAssets,
    release: newerRelease,
    isLogIntact: seals?.check?.isIntact !== false,
  });
  const mails = waitingMails(queued, registrations, isMailConfigured);
  const lineIn = (figures: readonly (number | null)[] | undefined) => figures && lineOf(week, figures);
  const hasLists = failures.length > 0 || mails.length > 0;
  return (
    <Page>
      <SectionHeader
        meta={<StateSentence {...{ devices, connectedDevices }} nodes={nodes.length} needs={needs.length} />}
      />
      <BusNotice nodes={nodes} className="mb-5" />
      <div className="mb-5 grid grid-cols-2 gap-5 max-sm:gap-3 xl:grid-cols-4">
        <StatisticCard
          label={words.devices}
          value={devices}
          line={lineIn(week && devicesOf(week))}
          link={<Link to="/projects" />}
        />
        <StatisticCard
          label={words.projects}
          value={projects}
          line={lineIn(week?.projects)}
          link={<Link to="/projects" />}
        />
        <StatisticCard
          label={words.users}
          value={users}
          line={lineIn(week?.users)}
          link={<Link to="/admin/users" />}
        />
        <StatisticCard
          label={words.nodes}
          value={nodes.length}
          line={lineIn(week && nodesOf(week))}
          link={<Link to="/admin/cluster" />}
        />
      </div>
      {needs.length === 0 && (
        <p className="mb-5 flex items-center gap-2 text-body text-ok">
          <CircleCheck size={16} aria-hidden />
          {words.nothing}
        </p>
      )}
      <InventedNote until={week?.inventedUntil} className="mb-3" />
      <Columns
        first={week && <ConnectedCard {...{ week, devices }} connected={connectedDevices ?? 0} />}
        second={needs.length > 0 && <NeedsCard needs={needs} />}
      />
      <div className="mb-5">
        <NodeCards nodes={nodes} week={week} readAt={dataUpdatedAt} />
      </div>
      <Columns
        first={
          hasLists && (
            <div className="flex min-w-0 flex-col gap-5">
              {failures.length > 0 && <FailuresCard types={failures} />}
              {mails.length > 0 && (
                <MailCard mails={mails} text={isMailConfigured ? undefined : words.noServer} />
              )}
            </div>
          )
        }
        second={
          storage && <StorageCard stored={storage} line={lineIn(week?.storedBytes)} isWide={!hasLists} />
        }
      />
    </Page>
  );
}

/** How the instance is, in a sentence whose numbers lead to what they count. */
function StateSentence({
  devices,
  connectedDevices,
  nodes,
  needs,
}: {
  devices: number;
  connectedDevices: number | undefined;
  nodes: number;
  needs: number;
}) {
  return (
    <>
      {connectedDevices !== undefined && (
        <>
          <Figure link={<Link to="/projects" />}>{connectedDevices}</Figure> {words.of}{' '}
        </>
      )}
      <Figure link={<Link to="/projects" />}>{devices}</Figure> {words.connectedThrough(devices)}{' '}
      <Figure link={<Link to="/admin/cluster" />}>{nodes}</Figure> {words.nodesOf(nodes)}
      {needs > 0 && (
        <>
          {' · '}
          <b className="font-head text-ink">{needs}</b> {words.needs(needs)}
        </>
      )}
    </>
  );
}

function Figure({
  link,
  children,
}: {
  link: ReactElement<{ children?: ReactNode; className?: string }>;
  children: number;
}) {
  return cloneElement(link, { className: 'number-link' }, children.toLocaleString('en'));
}
