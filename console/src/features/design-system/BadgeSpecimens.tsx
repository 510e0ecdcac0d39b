import { ActionBadge } from '../../ui/badge/ActionBadge.tsx';
import { BetaBadge } from '../../ui/badge/BetaBadge.tsx';
import { CertificateBadge } from '../../ui/badge/CertificateBadge.tsx';
import { DeviceBadge } from '../../ui/badge/DeviceBadge.tsx';
import { JobBadge } from '../../ui/badge/JobBadge.tsx';
import { KeyValueBadges } from '../../ui/badge/KeyValueBadges.tsx';
import { PendingCountBadge } from '../../ui/badge/PendingCountBadge.tsx';
import { RoleBadge } from '../../ui/badge/RoleBadge.tsx';
import { SeverityBadge } from '../../ui/badge/SeverityBadge.tsx';
import { TagBadge } from '../../ui/badge/TagBadge.tsx';
import { VisibilityBadge } from '../../ui/badge/VisibilityBadge.tsx';
import { Row } from './Row.tsx';
import { Specimen } from './Specimen.tsx';

/** Every badge in every state. */
export function BadgeSpecimens() {
  return (
    <Specimen title="Badges" meta="icon, word and tone">
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        <Row caption="Device">
          <DeviceBadge isConnected />
          <DeviceBadge isConnected={false} />
        </Row>
        <Row caption="Certificate">
          {(['Pending', 'Active', 'Rejected', 'Revoked'] as const).map((status) => (
            <CertificateBadge key={status} status={status} />
          ))}
        </Row>
        <Row caption="Severity">
          {(['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical'] as const).map((severity) => (
            <SeverityBadge key={severity} severity={severity} />
          ))}
        </Row>
        <Row caption="Action">
          {(['Pending', 'Succeeded', 'Failed', 'Rejected', 'Panicked'] as const).map((status) => (
            <ActionBadge key={status} status={status} />
          ))}
        </Row>
        <Row caption="Job">
          {(['Pending', 'Completed', 'Failed', 'Expired', 'Cancelled'] as const).map((status) => (
            <JobBadge key={status} status={status} />
          ))}
        </Row>
        <Row caption="Role and visibility">
          <RoleBadge isOwner />
          <RoleBadge isOwner={false} />
          <VisibilityBadge visibility="Private" />
          <VisibilityBadge visibility="Public" />
        </Row>
        <Row caption="Tag">
          <TagBadge tag="latest" isLocked={false} />
          <TagBadge tag="v4.2.1" isLocked />
        </Row>
        <Row caption="Pending certificates">
          <PendingCountBadge count={0} />
          <PendingCountBadge count={2} />
          <PendingCountBadge count={1} word="pending" />
        </Row>
        <Row caption="Data and beta">
          <KeyValueBadges
            data={{ name: 'gantry', autoAccept: true, projectId: 'p_1' }}
            omit={['projectId']}
          />
          <div className="w-64">
            <KeyValueBadges isBrief data={{ arch: 'arm64', name: 'gantry', rails: 4, weightKg: 1200 }} />
          </div>
          <BetaBadge />
        </Row>
      </div>
    </Specimen>
  );
}
