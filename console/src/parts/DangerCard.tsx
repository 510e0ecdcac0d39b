import type { ReactNode } from 'react';
import { Button } from '../ui/action/Button.tsx';
import { Card } from '../ui/layout/Card.tsx';

/** The card that deletes what a page is about. `ownerOnly` is why the user may not; undefined for those who may. */
export function DangerCard({
  title,
  verb,
  text,
  ownerOnly,
  onDelete,
}: {
  title: string;
  /** The label of the button, which is the heading too. */
  verb: string;
  text: ReactNode;
  ownerOnly: string | undefined;
  onDelete: () => void;
}) {
  return (
    <Card title={title} tone="danger">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="max-w-[26rem] min-w-0">
          <h3 className="text-body font-head text-ink">{verb}</h3>
          <p className="text-body text-ink2">{text}</p>
        </div>
        <Button variant="danger" isWrite disabledReason={ownerOnly} onClick={onDelete}>
          {verb}
        </Button>
        {ownerOnly !== undefined && <p className="w-full text-body text-ink3">{ownerOnly}</p>}
      </div>
    </Card>
  );
}
