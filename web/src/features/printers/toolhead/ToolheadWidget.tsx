import type { Printer } from '@vigil/contract/printers/printers.ts'
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconArrowsMove,
  IconArrowsVertical,
  IconDroplet,
  IconPower,
} from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { readStatus } from '../../../printer/status.ts'
import { BabyStepPanel } from './BabyStepPanel.tsx'
import styles from './Toolhead.module.css'
import { ExtrudePanel } from './ExtrudePanel.tsx'
import { MovePanel } from './MovePanel.tsx'
import { PowerPanel } from './PowerPanel.tsx'
import { blocked } from './rules.ts'
import { TunePanel } from './TunePanel.tsx'

type Menu = 'move' | 'extrude' | 'babyStep' | 'tune' | 'power'

const ICONS: Record<Menu, Icon> = {
  move: IconArrowsMove,
  extrude: IconDroplet,
  babyStep: IconArrowsVertical,
  tune: IconAdjustmentsHorizontal,
  power: IconPower,
}

/** Whatever lies over the page closes first. */
const COVERS = '[role="dialog"], [role="menu"], [role="listbox"]'

/** The printer's hands: one menu at a time, and ESC closes it. */
export function ToolheadWidget({ printer, transition }: { printer: Printer; transition: string | null }) {
  const { t } = useTranslation('toolhead')
  const id = useId()
  const { driver } = useDriver(printer)
  const off = blocked(readStatus(printer), transition, driver.extrudesWhilePaused)
  const [chosen, setChosen] = useState<Menu | null | undefined>(undefined)
  const isOff = (menu: Menu) =>
    (menu === 'move' && off.move !== null) || (menu === 'extrude' && off.extrude !== null)
  const wanted = chosen === undefined ? 'move' : chosen
  const open = wanted && !isOff(wanted) ? wanted : null
  const menus: Menu[] = [
    'move',
    'extrude',
    ...(driver.babyStep ? (['babyStep'] as const) : []),
    'tune',
    ...(driver.power ? (['power'] as const) : []),
  ]
  const isWantedOff = !!wanted && isOff(wanted)

  // A print that starts closes what may not be used; it stays closed when the print is over.
  useEffect(() => {
    if (isWantedOff) setChosen(null)
  }, [isWantedOff])

  useEffect(() => {
    if (!open) return undefined
    function onKey(event: KeyboardEvent) {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector(COVERS))
        setChosen(null)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [open])

  return (
    <Panel title={t('title')}>
      <div className={styles.menus}>
        {menus.map((menu) => {
          const MenuIcon = ICONS[menu]
          return (
            <button
              key={menu}
              type="button"
              className={styles.menu}
              aria-expanded={open === menu}
              aria-controls={open === menu ? `${id}-${menu}` : undefined}
              aria-describedby={isOff(menu) ? `${id}-off` : undefined}
              disabled={isOff(menu)}
              onClick={() => setChosen(open === menu ? null : menu)}
            >
              <MenuIcon size={20} stroke={1.75} aria-hidden />
              {t(`menu.${menu}`)}
            </button>
          )
        })}
      </div>
      {off.move && (
        <p id={`${id}-off`} className={styles.reason}>
          {t(`off.${off.move}`)}
        </p>
      )}
      {open && (
        <div id={`${id}-${open}`} className={styles.open} role="region" aria-label={t(`menu.${open}`)}>
          {open === 'move' && <MovePanel printer={printer} />}
          {open === 'extrude' && <ExtrudePanel printer={printer} />}
          {open === 'babyStep' && driver.babyStep && (
            <BabyStepPanel printer={printer} babyStep={driver.babyStep} />
          )}
          {open === 'tune' && <TunePanel printer={printer} />}
          {open === 'power' && driver.power && <PowerPanel printer={printer} power={driver.power} />}
        </div>
      )}
    </Panel>
  )
}
