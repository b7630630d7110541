import type { Print } from '@vigil/contract/prints/prints.ts'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import type { PlayerHandle } from '../../../player/index.ts'
import { Columns } from '../../../ui/Columns.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { DetectionHours } from '../../../ui/DetectionHours.tsx'
import { OfferToGallery } from '../gallery/index.ts'
import { ReplayLink } from '../replay/index.ts'
import { Actions } from './Actions.tsx'
import { AlertCard } from './AlertCard.tsx'
import { FeedbackLinks } from './FeedbackLinks.tsx'
import { FileDetails } from './FileDetails.tsx'
import { FirstLayerPanel } from '../../watch/feedback/index.ts'
import { Judgement } from './Judgement.tsx'
import { Lapse } from './Lapse.tsx'
import { Playhead } from './playhead.ts'
import { PrintFacts } from './PrintFacts.tsx'
import styles from './PrintPage.module.css'
import { Result } from './Result.tsx'
import { Siblings } from './Siblings.tsx'
import { Temperatures } from './Temperatures.tsx'
import { useFigures } from './useFigures.ts'
import { usePrinterOf } from './usePrinterOf.ts'

/** One print, whole: its film over one time axis, what Vigil made of it, the facts beside it. */
export function PrintPage({ print }: { print: Print }) {
  const { t } = useTranslation('print-page')
  const handle = useRef<PlayerHandle>(null)
  const [playhead] = useState(() => new Playhead())
  const printer = usePrinterOf(print)
  const figures = useFigures(print)
  useTitle(print.filename)
  return (
    <>
      <PageHeader
        back={{ to: paths.history, label: t('back') }}
        title={<bdi>{print.filename}</bdi>}
        note={
          <>
            <Result print={print} printer={printer.data} />
            <WhereAndWhen print={print} />
            <DetectionHours />
          </>
        }
        actions={<Actions print={print} printer={printer.data} />}
      />
      <Columns>
        <div className={styles.main}>
          <div className={styles.film}>
            <Lapse print={print} figures={figures} playhead={playhead} handle={handle} />
          </div>
          <Temperatures
            print={print}
            times={figures.times}
            playhead={playhead}
            onSeek={(position) => handle.current?.seek(position)}
          />
        </div>
        <div className={styles.side}>
          <div className={styles.alert}>
            <AlertCard print={print} printer={printer.data} />
          </div>
          <div className={styles.judge}>
            <Judgement print={print} printer={printer.data} figures={figures} playhead={playhead} />
          </div>
          <PrintFacts print={print} printer={printer} />
          <FileDetails print={print} printer={printer.data} />
          <FirstLayerPanel print={print} />
          <FeedbackLinks print={print} />
          {print.ended_at && <ReplayLink printId={print.id} />}
          <OfferToGallery print={print} />
          <Siblings print={print} />
        </div>
      </Columns>
    </>
  )
}

/** `Prusa in the attic · 18 Nov 02:14`. */
function WhereAndWhen({ print }: { print: Print }) {
  const { t } = useTranslation('print-page')
  const { moment } = useTimeText()
  const at = ms(print.started_at ?? print.uploaded_at)
  const name = print.printer?.name ?? (print.uploaded_at ? t('uploaded') : null)
  return <span>{[name, at === null ? null : moment(at)].filter(Boolean).join(' · ')}</span>
}
