import type { AuditLogEvent } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { useInstanceNames } from '../../parts/use-instance-names.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { logCopy } from './copy.ts';
import { type EventFilter, instanceLogQuery, instanceLogSearchQuery } from './instance-queries.ts';
import { LogPage } from './LogPage.tsx';
import { useFirstFilter } from './use-first-filter.ts';

/** The audit log of the instance, as far as the hub's filter lets it through. */
export function InstanceLog(props: { filter: EventFilter }) {
  const filter = useFirstFilter(props.filter);
  return (
    <LogPage
      pageQuery={(page) => instanceLogQuery(filter, page)}
      sentOf={(typed) => typed}
      searchQuery={(page) => instanceLogSearchQuery(filter, page)}
      names={useInstanceNames()}
      words={logCopy.instance}
      omit=""
      causeOf={causeLink}
    />
  );
}

function causeLink({ action, job }: AuditLogEvent) {
  if (action !== undefined)
    return (
      <p className="mt-4 text-body">
        <TextLink render={<Link to="/admin/actions" search={{ entry: action.actionId }} />}>
          {logCopy.instance.toAction}
        </TextLink>
      </p>
    );
  if (job === undefined) return null;
  return (
    <p className="mt-4 text-body">
      <TextLink render={<Link to="/admin/jobs" search={{ q: job.jobId }} />}>
        {logCopy.instance.toJob}
      </TextLink>
    </p>
  );
}
