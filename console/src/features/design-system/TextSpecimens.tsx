import { Badge } from '../../ui/badge/Badge.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { JsonView } from '../../ui/text/JsonView.tsx';
import { Kbd } from '../../ui/text/Kbd.tsx';
import { AbsoluteTime } from '../../ui/time/AbsoluteTime.tsx';
import { Duration } from '../../ui/time/Duration.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { Row } from './Row.tsx';
import { Specimen } from './Specimen.tsx';

const limits = { load: 42_000, wind: { warn: 18, stop: 22 }, axes: ['x', 'y'] };
const sizes = [
  'text-count',
  'text-display',
  'text-title',
  'text-answer',
  'text-state',
  'text-section',
  'text-body',
  'text-label',
  'text-small',
  'font-mono text-mono',
];

/** The type scale, code, JSON, times and durations. */
export function TextSpecimens() {
  return (
    <Specimen title="Text" meta="Atkinson Hyperlegible Next and Mono">
      <div className="flex flex-col gap-2">
        {sizes.map((size) => (
          <p key={size} className="flex flex-wrap items-baseline justify-between gap-x-6">
            <span className={`own-direction ${size}`}>143 of 148 cranes connected, O0 l1I</span>
            <span className="font-mono text-small text-ink3">{size}</span>
          </p>
        ))}
      </div>
      <CodeBlock
        code="corral-agent run --hub https://hub.harbour.example --token ct_8Kx…"
        what="agent command"
        prompt="$"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <JsonView value={limits} />
        <div className="flex flex-col gap-4">
          <Row caption="Times">
            <RelativeTime at={Date.UTC(2026, 9, 2, 8, 14)} />
            <AbsoluteTime at={Date.UTC(2026, 9, 2, 8, 14)} />
          </Row>
          <Row caption="Durations">
            {[0, 119, 120, 49_140, 90_061].map((seconds) => (
              <Badge key={seconds} tone="outline">
                <Duration seconds={seconds} />
              </Badge>
            ))}
          </Row>
          <Row caption="Keys">
            <Kbd>⌘K</Kbd>
            <Kbd>/</Kbd>
            <Kbd>?</Kbd>
          </Row>
        </div>
      </div>
    </Specimen>
  );
}
