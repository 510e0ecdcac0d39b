import { documentCopy } from './document-copy.ts';
import { Page } from '../ui/layout/Page.tsx';
import { Skeleton } from '../ui/layout/Skeleton.tsx';
import { DoubleRule } from '../ui/picture/DoubleRule.tsx';

const lineWidths = ['92%', '84%', '96%', '78%', '88%', '81%'];

/** The router's pending component: the outline of a page, while its route loads. */
export function PendingScreen() {
  return (
    <Page>
      <div role="status" className="flex flex-col gap-4">
        <span className="sr-only">{documentCopy.loading}</span>
        <Skeleton width="14rem" height="1.75rem" />
        <Skeleton width="22rem" />
        <DoubleRule />
        <div className="flex flex-col gap-6 rounded-card border border-line bg-surface px-4.5 py-6">
          {lineWidths.map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      </div>
    </Page>
  );
}
