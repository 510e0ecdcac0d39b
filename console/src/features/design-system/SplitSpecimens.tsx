import { Cpu, KeyRound, Package, ScrollText, Settings, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/action/Button.tsx';
import { DeviceBadge } from '../../ui/badge/DeviceBadge.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { SidebarLink } from '../../ui/layout/SidebarLink.tsx';
import { SidebarNav } from '../../ui/layout/SidebarNav.tsx';
import { Meter } from '../../ui/picture/Meter.tsx';
import { IdTag } from '../../ui/text/IdTag.tsx';

const items = [
  ['Devices', Cpu, 148],
  ['Members', Users, 6],
  ['Tokens', KeyRound, 3],
  ['Repositories', Package, 2],
  ['Log', ScrollText, undefined],
] as const;

/** The split layout: navigation beside a page with its header. */
export function SplitSpecimens() {
  const [current, setCurrent] = useState('Devices');
  return (
    <section aria-labelledby="split-title" className="flex flex-col gap-3">
      <h2 id="split-title" className="text-section">
        Split layout
      </h2>
      <div className="flex overflow-clip rounded-card border border-line bg-canvas">
        <div className="w-58 shrink-0 border-e border-line px-3 py-4 max-sm:hidden">
          <SidebarNav
            groups={[
              items.map(([name, Icon, count]) => (
                <SidebarLink
                  key={name}
                  icon={<Icon size={17} aria-hidden />}
                  count={count}
                  render={
                    <a
                      href="#split"
                      aria-current={name === current ? 'page' : undefined}
                      onClick={(event) => {
                        event.preventDefault();
                        setCurrent(name);
                      }}
                    />
                  }
                >
                  {name}
                </SidebarLink>
              )),
              <SidebarLink
                key="settings"
                icon={<Settings size={17} aria-hidden />}
                render={<a href="#split" />}
              >
                Settings
              </SidebarLink>,
            ]}
          />
        </div>
        <div className="min-w-0 flex-1 p-6 max-sm:p-4">
          <PageHeader
            level={3}
            breadcrumb={[
              <a key="devices" href="#split">
                Devices
              </a>,
              'crane-04-gantry',
            ]}
            title="crane-04-gantry"
            badges={
              <>
                <DeviceBadge isConnected />
                <IdTag value="d_9fKqW2mPx7LtVb3ReBZt3m" what="device ID" />
              </>
            }
            actions={<Button variant="primary">HTTP Proxy</Button>}
          />
          <Card title="System" isFlush>
            <Properties
              items={[
                { name: 'System', value: 'Debian GNU/Linux 12' },
                { name: 'Kernel', value: <span className="font-mono text-mono">6.1.0-26-arm64</span> },
                {
                  name: 'Disk',
                  value: (
                    <span className="flex flex-col gap-1.5">
                      <span className="flex justify-between gap-3">
                        <span className="font-mono text-mono">/dev/mmcblk0p2</span>
                        <span className="tabular text-ink3">11.2 of 28.9 GB</span>
                      </span>
                      <Meter label="Disk" value={11.2} max={28.9} text="11.2 of 28.9 GB" />
                    </span>
                  ),
                },
              ]}
            />
          </Card>
        </div>
      </div>
    </section>
  );
}
