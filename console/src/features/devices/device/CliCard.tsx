import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { deviceCopy } from './copy.ts';
import { devicePropertiesQuery } from '../queries.ts';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { deviceCommands } from './device-commands.ts';

const words = deviceCopy.cli;
const defaultProperty = 'dev.nexigon.systemInfo';

/** The commands for this device, in a collapsible card. */
export function CliCard({ deviceId }: { deviceId: Id<'device'> }) {
  const { data } = useQuery(devicePropertiesQuery(deviceId));
  // An existing property of the device, if any.
  const [propertyName = defaultProperty] = Object.keys(data?.properties ?? {});
  return (
    <details className="group min-w-0 rounded-card border border-line bg-surface lg:col-span-2 print:hidden">
      <summary className="flex min-h-12 cursor-default list-none items-center gap-2 rounded-card px-4.5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 text-ink3 transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:rotate-90"
        />
        <h2 className="text-section">{words.title}</h2>
        <span className="text-body text-ink3 max-sm:hidden">{words.hint}</span>
      </summary>
      <div className="flex flex-col gap-4 border-t border-line p-4.5">
        <ul className="grid gap-x-5 gap-y-4 lg:grid-cols-2">
          {deviceCommands(deviceId, propertyName).map(({ does, code }) => (
            <li key={code} className="flex min-w-0 flex-col gap-1.5">
              <span className="text-body text-ink2">{does}</span>
              <CodeBlock code={code} what={words.what(does)} prompt="$" />
            </li>
          ))}
        </ul>
        <p className="text-body text-ink2">
          {words.install}{' '}
          <TextLink render={<Link to="/help" hash="command-line" />}>{words.installLink}</TextLink>.
        </p>
      </div>
    </details>
  );
}
