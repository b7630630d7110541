import { Button, Flex, Stack } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconHome } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import type { Axis } from '../../../printer/driver/driver.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Toolhead.module.css'
import { MOVE_STEPS } from './rules.ts'
import { Steps, useStep } from './Steps.tsx'

type Move = [axis: Axis, sign: 1 | -1]

/** Where each button of the pad stands. */
const PLACES: { area: string; move: Move }[] = [
  { area: 'yp', move: ['y', 1] },
  { area: 'xm', move: ['x', -1] },
  { area: 'xp', move: ['x', 1] },
  { area: 'ym', move: ['y', -1] },
  { area: 'zp', move: ['z', 1] },
  { area: 'zm', move: ['z', -1] },
]

const KEYS: Record<string, Move> = {
  ArrowUp: ['y', 1],
  ArrowDown: ['y', -1],
  ArrowLeft: ['x', -1],
  ArrowRight: ['x', 1],
  PageUp: ['z', 1],
  PageDown: ['z', -1],
}

/** The pad that moves the head, step by step. */
export function MovePanel({ printer }: { printer: Printer }) {
  const { t } = useTranslation('toolhead')
  const { driver, run } = useDriver(printer)
  const [step, setStep] = useStep('xyz', printer.id, MOVE_STEPS, '10')
  const jog = ([axis, sign]: Move) => void run(driver.jog(axis, sign * Number(step)), { tell: true })
  const home = (axes: Axis[]) => void run(driver.home(axes), { tell: true })

  function onKeyDown(event: KeyboardEvent) {
    const move = KEYS[event.key]
    if (!move && event.key !== 'Home') return
    event.preventDefault()
    // A key that is held must not send the head across the bed.
    if (event.repeat) return
    if (move) jog(move)
    else home(['x', 'y', 'z'])
  }

  return (
    <Flex wrap="wrap" align="flex-start" gap={16}>
      <div className={styles.pad} role="group" aria-label={t('jog.label')} onKeyDown={onKeyDown}>
        {PLACES.map(({ area, move: [axis, sign] }) => (
          <button
            key={area}
            type="button"
            className={styles.key}
            style={{ gridArea: area }}
            aria-label={t('jog.move', { axis: axis.toUpperCase(), mm: (sign > 0 ? '+' : '−') + step })}
            onClick={() => jog([axis, sign])}
          >
            {axis.toUpperCase()}
            {sign > 0 ? '+' : '−'}
          </button>
        ))}
        <HomeKey area="hxy" label={t('jog.home', { axes: 'X, Y' })} onClick={() => home(['x', 'y'])} />
        <HomeKey area="hz" label={t('jog.home', { axes: 'Z' })} onClick={() => home(['z'])} />
      </div>
      <Stack gap={14} flex={1} miw={166}>
        <Steps steps={MOVE_STEPS} value={step} onChange={setStep} />
        <HomeButtons home={home} off={() => void run(driver.steppersOff(), { tell: true })} />
      </Stack>
      <p className={styles.keys}>{t('jog.keys')}</p>
    </Flex>
  )
}

function HomeKey({ area, label, onClick }: { area: string; label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className={styles.key}
      data-home
      style={{ gridArea: area }}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <IconHome size={18} stroke={1.75} />
    </button>
  )
}

function HomeButtons({ home, off }: { home: (axes: Axis[]) => void; off: () => void }) {
  const { t } = useTranslation('toolhead')
  return (
    <div className={shared.buttons}>
      <Button size="compact-md" onClick={() => home(['x', 'y', 'z'])}>
        {t('jog.homeAll')}
      </Button>
      {(['x', 'y'] as const).map((axis) => (
        <Button key={axis} size="compact-md" onClick={() => home([axis])}>
          {t('jog.homeOne', { axis: axis.toUpperCase() })}
        </Button>
      ))}
      <Button size="compact-md" onClick={off}>
        {t('jog.steppersOff')}
      </Button>
    </div>
  )
}
