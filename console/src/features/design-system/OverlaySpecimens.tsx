import { ChevronDown, Copy, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/action/Button.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx';
import { BusyOverlay } from '../../ui/overlay/BusyOverlay.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { Drawer } from '../../ui/overlay/Drawer.tsx';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { Menu } from '../../ui/overlay/Menu.tsx';
import { MenuChoice } from '../../ui/overlay/MenuChoice.tsx';
import { MenuItem } from '../../ui/overlay/MenuItem.tsx';
import { MenuLabel } from '../../ui/overlay/MenuLabel.tsx';
import { MenuLink } from '../../ui/overlay/MenuLink.tsx';
import { MenuSeparator } from '../../ui/overlay/MenuSeparator.tsx';
import { Palette } from '../../ui/overlay/Palette.tsx';
import { SecretDialog } from '../../ui/overlay/SecretDialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { Tooltip } from '../../ui/overlay/Tooltip.tsx';
import { Row } from './Row.tsx';
import { Specimen } from './Specimen.tsx';

type Shown = 'dialog' | 'form' | 'alert' | 'typed' | 'secret' | 'drawer' | 'palette';

/** Dialogs, toasts, menus and other overlays. */
export function OverlaySpecimens() {
  const [shown, setShown] = useState<Shown>();
  function openIf(name: Shown) {
    return { open: shown === name, onOpenChange: (open: boolean) => setShown(open ? name : undefined) };
  }
  return (
    <Specimen title="Overlays">
      <Row caption="Dialogs">
        <Button onClick={() => setShown('dialog')}>Dialog</Button>
        <Button onClick={() => setShown('form')}>Form dialog</Button>
        <Button onClick={() => setShown('alert')}>Alert dialog</Button>
        <Button onClick={() => setShown('typed')}>Typed confirmation</Button>
        <Button onClick={() => setShown('secret')}>Secret dialog</Button>
        <Button onClick={() => setShown('drawer')}>Drawer</Button>
        <Button onClick={() => setShown('palette')}>Palette</Button>
      </Row>
      <ToastSpecimens />
      <Row caption="Menu, hint, busy">
        <MenuSpecimen />
        <Tooltip content="A hint says more, never the only thing">
          <Button>Hint</Button>
        </Tooltip>
        <BusyOverlay busy>
          <TextField label="Covered" value="crane-04-gantry" onValueChange={() => undefined} disabled />
        </BusyOverlay>
      </Row>
      <Dialog {...openIf('dialog')} title="Compare the fingerprint">
        <p className="text-body text-ink2">Run this on the device and compare what it prints.</p>
      </Dialog>
      <FormSpecimen {...openIf('form')} />
      <PaletteSpecimen {...openIf('palette')} />
      <AlertDialog
        {...openIf('alert')}
        title="Delete token quay-north"
        verb="Delete token"
        onConfirm={() => undefined}
      >
        Devices that were let in with it stay; no new device can use it.
      </AlertDialog>
      <AlertDialog
        {...openIf('typed')}
        title="Delete project Harbour cranes"
        verb="Delete project"
        typedName="Harbour cranes"
        onConfirm={() => undefined}
      >
        This deletes 148 devices, 3 tokens and their events. It cannot be undone.
      </AlertDialog>
      <SecretDialog
        title="Token quay-north"
        secret={shown === 'secret' ? 'ct_8KxQ2mPx7LtVb3ReBZt3mW2mPx7LtVb3' : undefined}
        what="token"
        variable="CORRAL_TOKEN"
        onStored={() => setShown(undefined)}
      />
      <Drawer {...openIf('drawer')} title="Event e_5Hq">
        <p className="text-body text-ink2">A panel that keeps the list in sight.</p>
      </Drawer>
    </Specimen>
  );
}

function ToastSpecimens() {
  return (
    <Row caption="Toasts">
      <Button onClick={() => showToast('Device renamed', { tone: 'ok' })}>Success</Button>
      <Button
        onClick={() =>
          showToast('Repository unlinked', {
            action: { label: 'Undo', onClick: () => showToast('Repository linked') },
          })
        }
      >
        With Undo
      </Button>
      <Button
        onClick={() =>
          showToast('The name was not saved', { tone: 'danger', text: 'The hub did not answer.' })
        }
      >
        Error
      </Button>
    </Row>
  );
}

function MenuSpecimen() {
  return (
    <Menu trigger={<Button iconEnd={<ChevronDown size={15} aria-hidden />}>Menu</Button>} align="start">
      <MenuLabel>crane-04-gantry</MenuLabel>
      <MenuItem icon={<Copy size={15} aria-hidden />} onSelect={() => undefined}>
        Copy ID
      </MenuItem>
      <MenuLink icon={<Pencil size={15} aria-hidden />} render={<a href="#overlays" />}>
        Rename
      </MenuLink>
      <MenuItem onSelect={() => undefined} disabledReason="The device is not connected">
        Forward a port
      </MenuItem>
      <MenuSeparator />
      <MenuChoice isChosen onSelect={() => undefined}>
        Newest first
      </MenuChoice>
      <MenuChoice isChosen={false} onSelect={() => undefined}>
        By name
      </MenuChoice>
      <MenuSeparator />
      <MenuItem icon={<Trash2 size={15} aria-hidden />} tone="danger" onSelect={() => undefined}>
        Delete
      </MenuItem>
    </Menu>
  );
}

function FormSpecimen(state: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [name, setName] = useState('');
  return (
    <FormDialog
      {...state}
      title="Create Project"
      submitLabel="Create"
      canSubmit={name !== ''}
      onSubmit={() => state.onOpenChange(false)}
      onReset={() => setName('')}
    >
      <TextField
        label="Name"
        required
        value={name}
        onValueChange={setName}
        dirty={name !== ''}
        valid={name !== ''}
      />
    </FormDialog>
  );
}

function PaletteSpecimen(state: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [text, setText] = useState('');
  const names = ['crane-04-gantry', 'quay-camera-north', 'tide-gauge'].filter((name) => name.includes(text));
  const items = names.map((name) => ({ id: name, content: name }));
  return (
    <Palette
      {...state}
      onClosed={() => setText('')}
      finalFocus={() => true}
      label="Go to a device"
      placeholder="A name"
      text={text}
      onTextChange={setText}
      groups={items.length === 0 ? [] : [{ id: 'devices', label: 'Devices', items }]}
      onChoose={() => state.onOpenChange(false)}
      status={`${items.length} results`}
      empty={<p className="px-4.5 py-6 text-body text-ink3">Nothing matches</p>}
      foot={null}
    />
  );
}
