import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ExternalLink, Hash } from 'lucide-react';
import { useState } from 'react';
import { deviceCopy } from './copy.ts';
import { devicePropertiesQuery } from '../queries.ts';
import { PageActionButton } from '../../../parts/PageActionButton.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { Menu } from '../../../ui/overlay/Menu.tsx';
import { MenuItem } from '../../../ui/overlay/MenuItem.tsx';
import { MenuSeparator } from '../../../ui/overlay/MenuSeparator.tsx';
import { ProxyPortDialog } from './ProxyPortDialog.tsx';
import { newestSystemInfo } from './system-info.ts';
import { useHttpProxy } from './use-http-proxy.ts';

const words = deviceCopy.proxy;
const defaultPort = 80;

/** Opens a web page of a device: port 80 by the button; the menu has the pages that the device offers, and any other port. */
export function HttpProxyButton({ deviceId, isConnected }: { deviceId: Id<'device'>; isConnected: boolean }) {
  const [isPortDialogOpen, setIsPortDialogOpen] = useState(false);
  const { data } = useQuery(devicePropertiesQuery(deviceId));
  const { isOpening, open } = useHttpProxy(deviceId);
  // A device that is away cannot answer, so that its pages are not what to do next.
  const variant = isConnected ? 'outlined' : 'secondary';
  const offered = newestSystemInfo(data?.properties ?? {})?.info.exports ?? [];
  return (
    <>
      <div className="flex items-center gap-0.5">
        <PageActionButton
          variant={variant}
          isWrite
          loading={isOpening}
          iconEnd={<ExternalLink size={15} aria-hidden />}
          className="rounded-e-none"
          onClick={() => open({ port: defaultPort })}
        >
          {words.verb}
        </PageActionButton>
        <Menu
          label={words.more}
          trigger={
            <Button
              variant={variant}
              isWrite
              label={words.more}
              icon={<ChevronDown size={16} aria-hidden />}
              className="rounded-s-none"
            />
          }
        >
          {offered.map(({ name, port, path }) => (
            <MenuItem
              key={`${name} ${port} ${path ?? ''}`}
              icon={<ExternalLink size={15} aria-hidden />}
              onSelect={() => open({ port, path })}
            >
              {words.offered(name, port)}
            </MenuItem>
          ))}
          {offered.length > 0 && <MenuSeparator />}
          <MenuItem icon={<Hash size={15} aria-hidden />} onSelect={() => setIsPortDialogOpen(true)}>
            {words.otherPort}
          </MenuItem>
        </Menu>
      </div>
      <ProxyPortDialog
        isOpen={isPortDialogOpen}
        onOpenChange={setIsPortDialogOpen}
        onPort={(port) => {
          setIsPortDialogOpen(false);
          void open({ port });
        }}
      />
    </>
  );
}
