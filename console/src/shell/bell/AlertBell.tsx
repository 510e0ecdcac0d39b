import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { alertCountsEverywhereQuery, firingEverywhereQuery } from '../../parts/alerts/queries.ts';
import { alertsCopy } from '../../parts/alerts/copy.ts';
import { SeverityIcon } from '../../parts/alerts/SeverityIcon.tsx';
import { Button } from '../../ui/action/Button.tsx';
import { Menu } from '../../ui/overlay/Menu.tsx';
import { MenuLabel } from '../../ui/overlay/MenuLabel.tsx';
import { MenuLink } from '../../ui/overlay/MenuLink.tsx';
import { formatRelative, toMs } from '../../ui/time/format-time.ts';
import { useNow } from '../../ui/time/use-now.ts';

const words = alertsCopy.bell;
const mostShown = 99;

/** How many alerts fire, of all that the user sees, with a menu of the first of them. */
export function AlertBell() {
  const { data: counts } = useQuery(alertCountsEverywhereQuery());
  const firing = counts?.firing ?? 0;
  return (
    <Menu
      label={words.label(firing)}
      trigger={
        <Button
          variant="quiet"
          label={words.label(firing)}
          icon={
            <span className="relative">
              <Bell size={17} aria-hidden />
              {firing > 0 && (
                <span
                  aria-hidden
                  className="tabular absolute -end-2.5 -top-2 flex h-4 min-w-4 items-center justify-center rounded-full bg-danger px-1 text-[0.6875rem]/none font-head text-on-danger"
                >
                  {firing > mostShown ? words.most : firing}
                </span>
              )}
            </span>
          }
        />
      }
    >
      <Firing {...{ firing }} acknowledged={counts?.acknowledged ?? 0} />
    </Menu>
  );
}

/** What fires, read when the menu opens. */
function Firing({ firing, acknowledged }: { firing: number; acknowledged: number }) {
  const { data } = useQuery(firingEverywhereQuery());
  const now = useNow('minute');
  const alerts = data?.alerts ?? [];
  const more = firing - alerts.length;
  return (
    <>
      <MenuLabel>
        {firing === 0 ? words.none : words.firing(firing)}
        {acknowledged > 0 && `${firing === 0 ? ' ' : ', '}${words.acknowledged(acknowledged)}`}
      </MenuLabel>
      {alerts.map(({ alertId, projectId, projectName, ruleId, ruleName, subject, severity, since }) => (
        <MenuLink
          key={alertId}
          icon={<SeverityIcon {...{ severity }} />}
          render={<AlertsLink {...{ projectId }} search={{ rule: ruleId }} />}
        >
          <span className="block max-w-80 truncate">
            {subject === '' ? ruleName : `${subject}: ${ruleName}`}
          </span>
          <span className="block max-w-80 truncate text-small text-ink3">
            {projectName ?? words.instance} · {formatRelative(toMs(since), now)}
          </span>
        </MenuLink>
      ))}
      {more > 0 && alerts.length > 0 && (
        <MenuLink render={<MoreLink {...{ alerts }} />}>{words.more(more)}</MenuLink>
      )}
    </>
  );
}

/** Leads to the alerts of a project, or of this hub. */
function AlertsLink({
  projectId,
  ...link
}: {
  projectId: Id<'project'> | undefined;
  search: { rule?: Id<'alertRule'> };
}) {
  return projectId === undefined ? (
    <Link to="/admin/alerts" {...link} />
  ) : (
    <Link to="/projects/$projectId/alerts" params={{ projectId }} {...link} />
  );
}

/** Leads to where all of the alerts are, if that is one place, and else to the projects. */
function MoreLink({ alerts, ...link }: { alerts: readonly { projectId?: Id<'project'> | undefined }[] }) {
  const places = new Set(alerts.map(({ projectId }) => projectId));
  const [place] = places;
  return places.size > 1 ? (
    <Link to="/projects" {...link} />
  ) : (
    <AlertsLink projectId={place} search={{}} {...link} />
  );
}
