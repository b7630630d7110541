import { Box } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconEyeOff } from '@tabler/icons-react'
import { useTranslation } from '../../../../lib/translation.ts'
import { ms, percent } from '../../../../lib/format.ts'
import { MiniGauge } from '../../../../ui/Gauge.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { useWatching } from '../../../../printer/useWatching.ts'
import { hardlyWatched } from '../../../../printer/watching.ts'
import { useWords } from '../../../../printer/words.ts'
import styles from './PrinterCard.module.css'

/** `Looking good · checked 4 s ago`, or that we don't watch and why. */
export function WatchLine({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const words = useWords()
  const now = useWatching(printer)
  const { t: tc } = useTranslation('camera')
  const left = hardlyWatched(printer)
  const checkedAt = ms(printer.watch?.checked_at)

  if (now.kind === 'verdict')
    return (
      <div className={styles.watch}>
        <MiniGauge value={now.value} />
        <span className={styles.watchText}>
          {t(`band.${now.band}`)}
          {left !== null && (
            <Box component="span" c="var(--v-warn)">
              {' '}
              · {tc('hardlyShort', { percent: percent(left) })}
            </Box>
          )}
          {left === null && <Checked at={checkedAt} />}
        </span>
      </div>
    )
  if (now.kind === 'unheard')
    return (
      <div className={styles.watch}>
        <MiniGauge value={now.value} stale />
        <span className={styles.watchText}>
          {t('watch.unheard')}
          <Checked at={checkedAt} />
        </span>
      </div>
    )
  if (now.kind === 'starting')
    return (
      <div className={styles.watch}>
        <MiniGauge value={null} />
        <span className={styles.watchText}>{t('watch.starting')}</span>
      </div>
    )
  if (now.kind === 'standby')
    return (
      <div className={styles.watch}>
        <MiniGauge value={null} />
        <span className={styles.watchText}>
          {t('watch.standby')}
          <span className={styles.faint}>
            {' '}
            · {t(printer.current_print ? 'standby.paused' : 'standby.idle')}
          </span>
        </span>
      </div>
    )
  return (
    <div className={styles.watch} data-blind={now.kind === 'blind' || undefined}>
      {now.kind === 'blind' ? <IconEyeOff size={18} stroke={1.75} aria-hidden /> : <MiniGauge value={null} />}
      <span className={styles.watchText}>
        {t(now.kind === 'blind' ? 'watch.blind' : 'watch.off')}
        <span className={styles.faint}> · {words.reason(now.code, now.said)}</span>
      </span>
    </div>
  )
}

function Checked({ at }: { at: number | null }) {
  const { t } = useTranslation('printers')
  return (
    at !== null && (
      <span className={styles.faint}>
        {' · '}
        {t('checked')} <Ago at={at} />
      </span>
    )
  )
}
