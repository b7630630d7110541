import { Button, FileButton, Flex, useComputedColorScheme } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { bringDesign, listDesignFiles, listDesigns } from '@vigil/contract/slice/designs.ts'
import type { MeshModel } from '@vigil/contract/slice/models.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { modelsQuery, readShape, uploadModel } from '../../slice/meshes/index.ts'
import type { Bench, BenchState } from './bench.ts'
import { drawPlate, INKS } from './draw.ts'
import styles from './Host.module.css'

const PIXELS = 720

/** Puts a mesh of the person's onto the plate. */
async function place(bench: Bench, model: MeshModel): Promise<void> {
  const mesh = await fetch(serverUrl(model.mesh_url))
  bench.add(model, readShape(await mesh.arrayBuffer()))
}

/** Brings a design of the catalogue that comes with this server. */
async function bringSample(): Promise<MeshModel[]> {
  const { hits } = await call(listDesigns, { query: { keyword: 'cube', page: 1 } })
  const design = hits[0]
  if (!design) return []
  const files = await call(listDesignFiles, { params: { id: design.id } })
  const file_ids = files.filter(({ is_mesh }) => is_mesh).map(({ id }) => id)
  return await call(bringDesign, { params: { id: design.id }, body: { file_ids: file_ids.slice(0, 1) } })
}

/** The plate as it is seen, and what can be put onto it. */
export function PlatePane({ bench, state }: { bench: Bench; state: BenchState }) {
  const { t } = useTranslation('assistant')
  const { models } = state
  const scheme = useComputedColorScheme('light')
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const [x, y] = bench.middle
    const reach = Math.max(120, x * 1.25, y * 1.25)
    if (!canvas.current) return
    const style = getComputedStyle(canvas.current)
    const inks = { ...INKS, ground: style.backgroundColor, line: style.borderTopColor }
    drawPlate(canvas.current, bench, { from: [x - 400, y - 800, 700], to: [x, y, 20] }, reach, inks)
  }, [bench, models, state.selected.printer, scheme])
  return (
    <section className={styles.plate}>
      <canvas ref={canvas} width={PIXELS} height={PIXELS} role="img" aria-label={t('host.plate')} />
      <div className={styles.models}>
        <h2>{t('host.models')}</h2>
        <ul>
          {models.map(({ key, name }) => (
            <li key={key}>
              <bdi>{name}</bdi>
              <Button
                size="compact-sm"
                aria-label={t('host.remove', { name })}
                onClick={() => bench.place(models.filter((one) => one.key !== key))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
        <AddModels bench={bench} />
      </div>
    </section>
  )
}

function AddModels({ bench }: { bench: Bench }) {
  const { t } = useTranslation('assistant')
  const problemText = useProblemText()
  const client = useQueryClient()
  const { data: own = [] } = useQuery(modelsQuery)
  const [problem, setProblem] = useState<string | null>(null)
  const bring = async (get: () => Promise<MeshModel[]>) => {
    setProblem(null)
    try {
      for (const model of await get()) await place(bench, model)
      await client.invalidateQueries({ queryKey: modelsQuery.queryKey })
    } catch (error) {
      setProblem(problemText(problemOf(error)))
    }
  }
  return (
    <>
      <Flex align="center" wrap="wrap" gap={8}>
        <Button onClick={() => void bring(bringSample)}>{t('host.sample')}</Button>
        <FileButton
          accept=".stl,.3mf,.obj"
          onChange={(file) => file && void bring(async () => [await uploadModel(file)])}
        >
          {(props) => <Button {...props}>{t('host.upload')}</Button>}
        </FileButton>
        {own.slice(0, 4).map((model) => (
          <Button key={model.id} onClick={() => void bring(() => Promise.resolve([model]))}>
            + <bdi>{model.name}</bdi>
          </Button>
        ))}
      </Flex>
      {problem && <p role="alert">{problem}</p>}
    </>
  )
}
