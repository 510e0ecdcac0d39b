import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

/** One tab and its panel. */
type Tab<Value extends string> = { value: Value; label: ReactNode; content: ReactNode };

/** A tab list and the panel of the selected tab. Routes keep `value` in the URL. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onValueChange,
}: {
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
}) {
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onValueChange(next)}>
      <Base.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line print:hidden">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="own-direction -mb-px inline-flex h-9 items-center gap-2 border-b-2 border-transparent px-3 text-label whitespace-nowrap text-ink2 transition-colors hover:text-ink focus-visible:-outline-offset-2 data-active:border-denim data-active:text-ink pointer-coarse:h-11"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
