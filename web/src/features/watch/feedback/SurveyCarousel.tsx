import { ActionIcon, Box, Button, Checkbox, Group } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FirstLayerImage, type LayerLabel, LAYER_LABELS } from '@vigil/contract/watch/first-layer.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { saveLabels, surveyQuery } from './feedback.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Feedback.module.css'
import { labelsOf, toggled } from './labels.ts'
import { bead, beadsOf, type Mark, marksOf } from './layer-drawing.ts'
import drawn from './LayerDrawing.module.css'
import { Picture } from './Picture.tsx'
import { type DotState, Slides } from './Slides.tsx'

interface SurveyCarouselProps {
  printId: number
  images: readonly FirstLayerImage[]
  /** Told what the answers earned, after the last picture. */
  onDone: (earned: number) => void
}

/** One picture a slide; going on keeps what is ticked. */
export function SurveyCarousel({ printId, images, onDone }: SurveyCarouselProps) {
  const { t } = useTranslation('feedback')
  const problemText = useProblemText()
  const hold = useHold(printId)
  const [at, setAt] = useState(0)
  const [earned, setEarned] = useState(0)
  /** What is ticked and not kept yet, by picture. */
  const [ticked, setTicked] = useState<ReadonlyMap<number, readonly LayerLabel[]>>(new Map())
  const image = images[at]!
  const chosen = ticked.get(image.id) ?? labelsOf(image)
  const isLast = at === images.length - 1

  const saving = useMutation({
    mutationFn: () => saveLabels(image.id, chosen),
    onSuccess: (saved) => {
      hold(saved)
      const gained = earned + saved.credited_dhs
      setEarned(gained)
      if (!isLast) return setAt(at + 1)
      // Those that were passed over come again.
      const open = images.findIndex(({ id, answer }) => id !== saved.id && answer === null)
      return open === -1 ? onDone(gained) : setAt(open)
    },
  })

  function next() {
    if (chosen.length > 0 && !saving.isPending) saving.mutate()
  }
  // A dot, an arrow key or a finger: forward as Next does it, which keeps what is ticked.
  function go(to: number) {
    if (saving.isPending) return
    saving.reset()
    if (to === at + 1 && chosen.length > 0) next()
    else setAt(to)
  }

  const dots = images.map(({ answer }): DotState => (answer === null ? 'open' : 'answered'))
  return (
    <Panel title={t('place', { number: at + 1, count: images.length })}>
      <Slides label={t('survey.title')} dots={dots} at={at} onGo={go}>
        <Picture key={image.id} src={image.image_url} alt={t('pictureAlt', { number: at + 1 })} />
        <LabelList chosen={chosen} onChange={(labels) => setTicked(new Map(ticked).set(image.id, labels))} />
        {saving.error && (
          <p role="alert" className={shared.problem}>
            {problemText(problemOf(saving.error))}
          </p>
        )}
      </Slides>
      <div className={styles.foot}>
        <Button disabled={at === 0 || saving.isPending} onClick={() => go(at - 1)}>
          {t('previous')}
        </Button>
        <Button variant="filled" disabled={chosen.length === 0} loading={saving.isPending} onClick={next}>
          {t(isLast ? 'finish' : 'next')}
        </Button>
      </div>
    </Panel>
  )
}

interface LabelListProps {
  chosen: readonly LayerLabel[]
  onChange: (labels: LayerLabel[]) => void
}

/** What a first layer may show, each with examples of how it looks. */
function LabelList({ chosen, onChange }: LabelListProps) {
  const { t } = useTranslation('feedback')
  const [shown, setShown] = useState<LayerLabel | null>(null)
  return (
    <Box component="fieldset" miw={0} m={0} p={0} bd={0}>
      <legend className={styles.legend}>{t('survey.question')}</legend>
      <div className={styles.labels}>
        {LAYER_LABELS.map((label) => (
          <Group key={label} gap={8} wrap="nowrap" justify="space-between" mih={44}>
            <Checkbox
              label={t(`label.${label}.name`)}
              checked={chosen.includes(label)}
              onChange={() => onChange(toggled(chosen, label))}
            />
            <ActionIcon
              aria-label={t('survey.examplesOf', { label: t(`label.${label}.name`) })}
              onClick={() => setShown(label)}
            >
              <IconPhoto size={18} stroke={1.75} />
            </ActionIcon>
          </Group>
        ))}
      </div>
      {shown && (
        <Dialog title={t(`label.${shown}.name`)} size={520} onClose={() => setShown(null)}>
          <p>{t(`label.${shown}.text`)}</p>
          <div className={styles.examples}>
            {([0, 1] as const).map((example) => (
              <LayerDrawing
                key={example}
                label={shown}
                example={example}
                alt={t('survey.example', { label: t(`label.${shown}.name`), number: example + 1 })}
              />
            ))}
          </div>
        </Dialog>
      )}
    </Box>
  )
}

interface LayerDrawingProps {
  label: LayerLabel
  example: 0 | 1
  alt: string
}

/** How a first layer with this label looks to a nozzle camera, drawn: lines of plastic from above, and what is wrong. */
function LayerDrawing({ label, example, alt }: LayerDrawingProps) {
  return (
    <svg viewBox="0 0 240 180" role="img" aria-label={alt} className={`${styles.drawing} ${drawn.ground}`}>
      {label === 'notANozzleCam' ? (
        <Webcam turned={example === 1} />
      ) : (
        <Beads label={label} example={example} />
      )}
    </svg>
  )
}

function Beads({ label, example }: Pick<LayerDrawingProps, 'label' | 'example'>) {
  return (
    <>
      {beadsOf(label, example).map(({ y, width, d, isBad }) => (
        <g key={y} data-bad={isBad || undefined} className={drawn.bead}>
          <path d={d} strokeWidth={width} className={drawn.body} />
          <path d={d} strokeWidth={width / 4} className={drawn.shine} />
        </g>
      ))}
      {marksOf(label, example).map((mark) => (
        <MarkShape key={`${mark.x} ${mark.y}`} mark={mark} />
      ))}
      <path d="M196 0h40v26l-14 20h-12l-14-20z" className={drawn.nozzle} />
    </>
  )
}

function MarkShape({ mark: { kind, x, y, r } }: { mark: Mark }) {
  if (kind === 'string') return <path d={bead(x, y, r)} className={drawn.string} />
  return (
    <>
      <circle cx={x} cy={y} r={r} className={kind === 'bubble' ? drawn.bubble : drawn.bump} />
      <circle cx={x - r / 3} cy={y - r / 3} r={r / 4} className={drawn.glint} />
    </>
  )
}

/** A printer from the front, as a camera beside it shows it. */
function Webcam({ turned }: { turned: boolean }) {
  return (
    <g transform={turned ? 'translate(240 0) scale(-1 1)' : undefined} className={drawn.machine}>
      <path d="M42 24v132M198 24v132M36 28h168M30 156h180" />
      <path d="M48 64h144" className={drawn.rail} />
      <path d="M96 52h34v26l-10 12h-14l-10-12z" className={drawn.nozzle} />
      <path d="M64 140h112" className={drawn.rail} />
      <path d={turned ? 'M98 138v-40h36v40z' : 'M86 138l12-34h32l14 34z'} className={drawn.object} />
    </g>
  )
}

/** Puts a saved answer wherever it is shown. */
function useHold(printId: number) {
  const client = useQueryClient()
  return (saved: Awaited<ReturnType<typeof saveLabels>>) => {
    client.setQueryData(surveyQuery(printId).queryKey, (layer) =>
      layer ? { ...layer, images: layer.images.map((one) => (one.id === saved.id ? saved : one)) } : layer,
    )
    void client.invalidateQueries({ queryKey: ['print', printId] })
    if (saved.credited_dhs > 0) void client.invalidateQueries({ queryKey: ['hours'] })
  }
}
