import { PendingCountBadge } from '../../ui/badge/PendingCountBadge.tsx';
import { Button } from '../../ui/action/Button.tsx';
import { Banner } from '../../ui/layout/Banner.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { CardGrid } from '../../ui/layout/CardGrid.tsx';
import { CardLink } from '../../ui/layout/CardLink.tsx';
import { EmptyState } from '../../ui/layout/EmptyState.tsx';
import { ErrorScreen } from '../../ui/layout/ErrorScreen.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { Skeleton } from '../../ui/layout/Skeleton.tsx';
import { DeviceDots } from '../../ui/picture/DeviceDots.tsx';

/** Sections: cards, properties, notices, empty states and errors. */
export function SectionSpecimens() {
  return (
    <section aria-labelledby="sections-title" className="flex flex-col gap-4">
      <h2 id="sections-title" className="text-section">
        Sections
      </h2>
      <Banner
        label="Notice"
        html="Maintenance on Sunday from <b>02:00</b> to 04:00 UTC. <a href='#sections'>Details</a>"
      />
      <Banner label="Warning" html="The hub cannot be reached. What you see may be old." tone="warning" />
      <CardGrid>
        <CardLink
          render={<a href="#sections" />}
          title="Harbour cranes"
          badge={<PendingCountBadge count={1} word="pending" />}
          meta="143 of 148 devices connected"
        >
          <DeviceDots counts={{ total: 148, connected: 143, pending: 1 }} />
        </CardLink>
        <CardLink render={<a href="#sections" />} title="Cold chain" meta="all 61 devices connected">
          <DeviceDots counts={{ total: 61, connected: 61 }} />
        </CardLink>
        <CardLink render={<a href="#sections" />} title="Workshop" meta="3 of 4 devices connected">
          <DeviceDots counts={{ total: 4, connected: 3 }} />
        </CardLink>
      </CardGrid>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Notice title="Compare before you accept">The device prints the same fingerprint.</Notice>
        <Notice tone="warn" title="No answer for 60 s">
          Check that the device reaches this address.
        </Notice>
        <Notice tone="danger" title="Error">
          Invalid username or password!
        </Notice>
        <Card title="Loading">
          <div className="flex flex-col gap-3">
            <Skeleton width="60%" />
            <Skeleton width="85%" />
            <Skeleton width="40%" />
          </div>
        </Card>
        <Card title="Danger Zone" tone="danger">
          <div className="flex items-center justify-between gap-4">
            <p className="text-body text-ink2">Deletes the project with all its devices.</p>
            <Button variant="danger">Delete Project</Button>
          </div>
        </Card>
        <Card isFlush>
          <EmptyState title="No recent events." level={3} />
        </Card>
      </div>
      <Card>
        <ErrorScreen error={new Error('The hub answered 503.')} level={3} onRetry={() => undefined} />
      </Card>
    </section>
  );
}
