import { Alert, Button } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { coverOf, type Zone } from '@vigil/contract/printers/zones.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { percent } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import type { Orientation } from '../../../ui/Snapshot.tsx'
import { HARDLY_PERCENT } from '../../../printer/watching.ts'
import { asShown, asStored, isWhole } from './outline.ts'
import { useDrawing } from './useDrawing.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Zones.module.css'
import { ZonesBoard, ZoneTools } from './ZonesBoard.tsx'
import { saveZones, zonesQuery } from './zones.api.ts'

/** From this much of the picture left out, it is said. */
const MUCH = 50

interface ZonesEditorProps {
  printer: Printer
  src: string
  /** How the picture is shown; zones are stored on the unrotated one. */
  turned: Orientation
  initial: Zone[]
  onClose: () => void
}

/** Draws, moves and deletes zones on the picture, by pointer and by keyboard; nothing is kept before it is saved. */
export function ZonesEditor({ printer, src, turned, initial: stored, onClose }: ZonesEditorProps) {
  const { t } = useTranslation('zones')
  const client = useQueryClient()
  const problemText = useProblemText()
  // Neither the picture nor its turn changes while it is drawn on.
  const [way] = useState(turned)
  const [initial] = useState(() => stored.map((zone) => asShown(zone, way)))
  const drawing = useDrawing(initial, initial.length === 0)
  const { zones, draft, setDraft, add } = drawing
  const [still] = useState(src)
  const left = useMemo(() => Math.round(coverOf(zones) * 100), [zones])
  const nearlyAll = left > HARDLY_PERCENT
  const changed = zones !== initial || (draft !== null && draft.length > 0)

  const saving = useMutation({
    mutationFn: () =>
      saveZones(
        printer.id,
        zones.map((zone) => asStored(zone, way)),
      ),
    onSuccess: (kept) => {
      client.setQueryData(zonesQuery(printer.id).queryKey, kept)
      toast(t('saved'), 'done')
      onClose()
    },
  })

  async function leave() {
    const sure =
      !changed ||
      (await confirm({
        title: t('discard.title'),
        text: t('discard.text'),
        action: t('discard.action'),
        dismiss: t('discard.dismiss'),
        tone: 'bad',
      }))
    if (sure) onClose()
  }

  const asking = useRef(false)
  async function askAndLeave() {
    if (asking.current) return
    asking.current = true
    await leave()
    asking.current = false
  }

  useWindowEvent('keydown', (event) => {
    if (asking.current) return
    const onButton = event.target instanceof HTMLButtonElement
    if (event.key === 'Enter' && !onButton && draft && isWhole(draft)) add(draft)
    if (event.key !== 'Escape') return
    if (draft && draft.length > 0) setDraft(zones.length > 0 ? null : [])
    else void askAndLeave()
  })

  return (
    <Dialog
      size={900}
      onClose={() => void askAndLeave()}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={t('editor', { name: printer.name })}
    >
      <ZonesBoard src={still} turned={way} drawing={drawing} />
      {left > MUCH && (
        <Alert color={nearlyAll ? 'bad' : 'warn'} mt={10} role="status">
          {t(nearlyAll ? 'nearlyAll' : 'whole', { percent: percent(left) })}
        </Alert>
      )}
      {saving.error && (
        <Alert color="bad" mt={10} role="alert">
          {problemText(problemOf(saving.error))}
        </Alert>
      )}
      <div className={styles.tools}>
        <ZoneTools drawing={drawing} />
        <span className={shared.spring} />
        <Button onClick={() => void askAndLeave()}>{t('cancel')}</Button>
        <Button
          variant="filled"
          disabled={draft !== null && draft.length > 0}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {t('save')}
        </Button>
      </div>
    </Dialog>
  )
}
