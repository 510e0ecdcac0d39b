import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { historyQuery, overviewQuery } from '../../data/queries-projects.ts';
import { InventedNote } from '../../parts/history/InventedNote.tsx';
import { gapsOf, pointText, timesOf } from '../../parts/history/history-times.ts';
import { NeedsList } from '../../parts/NeedsList.tsx';
import { AreaChart } from '../../ui/picture/AreaChart.tsx';
import { Sparkline } from '../../ui/picture/Sparkline.tsx';
import { projectsCopy } from './copy.ts';
import { useSeen } from './use-seen.ts';

const maxNeeds = 3;
const chartHeight = 190;

/** What a card of a project tells beside its dots, read once it is in sight: the line of the last day, and what needs a person, which the only card has beside it. */
export function ProjectFacts({ projectId, isOnly }: { projectId: Id<'project'>; isOnly: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const enabled = useSeen(element);
  const { data: history } = useQuery({ ...historyQuery(projectId, 'Day'), enabled });
  const { data: overview } = useQuery({ ...overviewQuery(projectId), enabled });
  const line = history?.connected.filter((value) => value !== null) ?? [];
  const needs = isOnly ? [] : (overview?.needs.slice(0, maxNeeds) ?? []);
  const text = projectsCopy.day(Math.min(...line), Math.max(...line));
  return (
    <div ref={element} className="mt-auto flex flex-col gap-2 pt-4">
      <InventedNote until={history?.inventedUntil} className="" />
      {history !== undefined && line.length > 1 && isOnly && (
        <LastDay {...{ projectId, history }} devices={overview?.counts.devices ?? 0} label={text} />
      )}
      {line.length > 1 && !isOnly && (
        <div className="flex items-center gap-3">
          <Sparkline values={line} label={text} />
          <span aria-hidden className="tabular text-small text-ink2">
            {text}
          </span>
        </div>
      )}
      {needs.length > 0 && <NeedsList {...{ projectId, needs }} isBrief />}
    </div>
  );
}

/** The last day as a chart, in the card that has the page for itself. */
function LastDay({
  projectId,
  history,
  devices,
  label,
}: {
  projectId: Id<'project'>;
  history: Output<'projects_QueryHistory'>;
  devices: number;
  label: string;
}) {
  const navigate = useNavigate();
  const { fromMs, stepMs } = timesOf(history);
  return (
    <div className="relative z-10 mb-2">
      <AreaChart
        label={label}
        times={timesOf(history)}
        values={history.connected}
        limit={devices}
        height={chartHeight}
        gaps={gapsOf(history, true)}
        describe={(step) => (
          <>
            <b className="font-head">{pointText(fromMs + step * stepMs, true)}</b>{' '}
            {projectsCopy.connectedThen(history.connected[step] ?? undefined)}
          </>
        )}
        onOpen={() => void navigate({ to: '/projects/$projectId/overview', params: { projectId } })}
      />
    </div>
  );
}
