import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MeshModel } from '@vigil/contract/slice/models.ts'
import type { SliceMachine } from '@vigil/contract/slice/slicer.ts'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import {
  cornersOf,
  type Cut,
  cutModel,
  freeSpot,
  GAP_MM,
  middleOf,
  modelsQuery,
  type Piece,
  pieceOf,
  type Placing,
  usePlate,
  type Vector,
} from '../meshes/index.ts'
import type { PlateHandle } from './PlateStage.tsx'
import type { Measured } from './seen.ts'

/** What is on the plate of this printer, which of it is chosen, what that measures, and what can be done with it. */
export function usePieces(
  machine: SliceMachine | null,
  first: readonly string[],
  stage: RefObject<PlateHandle | null>,
) {
  const { t } = useTranslation('slicing')
  const corners = useMemo(() => cornersOf(machine?.printable_area), [machine])
  const middle = useMemo(() => middleOf(corners), [corners])
  const plate = usePlate(() => first.map((url) => pieceOf(url, t('mesh'), null, middle)))
  const { change } = plate
  const { data: models } = useQuery(modelsQuery)
  const pieces = useMemo(() => named(plate.pieces, models ?? []), [plate.pieces, models])
  const [key, choose] = useState<string | null>(pieces[0]?.key ?? null)
  const [measured, setMeasured] = useState<ReadonlyMap<string, Measured>>(new Map())

  useBed(machine?.id, middle, plate)
  useSideBySide({ isReady: machine !== null, pieces, measured, middle, settle: plate.settle, stage })
  const chosen = pieces.find((piece) => piece.key === key) ?? null
  const place = (of: string, placing: Partial<Placing>) =>
    change((all) => all.map((one) => (one.key === of ? { ...one, ...placing } : one)))
  const cut = useCutting({ models: models ?? [], measured, change, choose, stage })
  const remove = (piece: Piece) => change((all) => all.filter((one) => one.key !== piece.key))
  return {
    ...plate,
    pieces,
    corners,
    middle,
    key,
    chosen,
    choose,
    measured,
    setMeasured,
    ...adding({ models: models ?? [], measured, middle, change, choose }),
    place,
    put: (piece: Piece) => place(piece.key, piece),
    cut,
    remove,
    ...turning({ pieces, chosen, middle, change, place, stage }),
    trouble: troubleOf(pieces, measured),
  }
}

interface Adding extends Pick<Turning, 'middle' | 'change'> {
  readonly models: readonly MeshModel[]
  readonly measured: ReadonlyMap<string, Measured>
  readonly choose: (key: string) => void
}

function adding({ models, measured, middle, change, choose }: Adding) {
  const takenBy = (all: readonly Piece[]) =>
    named(all, models).flatMap(({ key, size, translate: [x, y] }) => {
      const its = measured.get(key)?.size ?? size
      return its ? [{ at: [x, y] as const, size: its }] : []
    })
  return {
    /** A model of one's own, beside what stands there by then: of several at once each comes when the one before it stands. */
    bring: (model: MeshModel) => {
      const piece = pieceOf(model.mesh_url, model.name, model.size, middle)
      change((all) => {
        const [x, y] = freeSpot(model.size, takenBy(all), middle)
        return [...all, { ...piece, translate: [x, y, 0] }]
      })
      choose(piece.key)
    },
    copy: (piece: Piece) => {
      const beside = piece.translate[0] + (measured.get(piece.key)?.size[0] ?? 20) + GAP_MM
      const { rotate, scale } = piece
      const fresh = pieceOf(piece.url, piece.name, piece.size, [beside, piece.translate[1]])
      change((all) => [...all, { ...fresh, rotate, scale }])
      choose(fresh.key)
    },
  }
}

interface Cutting extends Pick<Turning, 'change' | 'stage'> {
  readonly models: readonly MeshModel[]
  readonly measured: ReadonlyMap<string, Measured>
  readonly choose: (key: string) => void
}

/** A piece is cut into models, which stand in its place, turned and scaled as it was; false: it is none of one's own. Raises what the server refuses. */
function useCutting({ models, measured, change, choose, stage }: Cutting) {
  const client = useQueryClient()
  return async (piece: Piece, cut: Cut, keep: 'both' | 'below' | 'above') => {
    const plane = stage.current?.planeOf(piece, cut)
    const model = models.find(({ mesh_url: url }) => url === piece.url)
    if (!plane || !model) return false
    const parts = await cutModel(model.id, plane, keep)
    const beside = (measured.get(piece.key)?.size[0] ?? 20) + GAP_MM
    const [x, y] = piece.translate
    const made = parts.map(({ mesh_url: url, name, size }, i) => {
      const { rotate, scale } = piece
      return { ...pieceOf(url, name, size, [x + i * beside, y]), rotate, scale }
    })
    change((all) => all.flatMap((one) => (one.key === piece.key ? made : [one])))
    if (made[0]) choose(made[0].key)
    await client.invalidateQueries({ queryKey: modelsQuery.queryKey })
    return true
  }
}

/** Another printer has another bed: all stand in its middle again. */
function useBed(
  machine: number | undefined,
  middle: readonly [number, number],
  { change, settle }: Pick<ReturnType<typeof usePlate>, 'change' | 'settle'>,
): void {
  const bed = useRef(machine)
  useEffect(() => {
    if (bed.current === machine) return
    const put = bed.current === undefined ? settle : change
    bed.current = machine
    put((all) => all.map((piece) => ({ ...piece, translate: [middle[0], middle[1], 0] })))
  }, [machine, middle, change, settle])
}

interface SideBySide extends Pick<Turning, 'pieces' | 'middle' | 'stage'> {
  readonly isReady: boolean
  readonly measured: ReadonlyMap<string, Measured>
  readonly settle: Turning['change']
}

/** Several meshes that an address names would all stand in the middle: as soon as all have come they stand side by side. */
function useSideBySide({ isReady, pieces, measured, middle, settle, stage }: SideBySide): void {
  const [keys] = useState(() => pieces.map(({ key }) => key))
  const isDone = useRef(keys.length < 2)
  useEffect(() => {
    if (isDone.current || !isReady || !keys.every((key) => measured.has(key))) return
    isDone.current = true
    const places = stage.current?.arrange(pieces, middle)
    if (places) settle((all) => placed(all, places))
  }, [isReady, keys, pieces, measured, middle, settle, stage])
}

const placed = (all: readonly Piece[], places: ReadonlyMap<string, Vector>): readonly Piece[] =>
  all.map((one) => ({ ...one, translate: places.get(one.key) ?? one.translate }))

interface Turning {
  readonly pieces: readonly Piece[]
  readonly chosen: Piece | null
  readonly middle: readonly [number, number]
  readonly change: ReturnType<typeof usePlate>['change']
  readonly place: (of: string, placing: Partial<Placing>) => void
  readonly stage: RefObject<PlateHandle | null>
}

/** What is reckoned of the meshes themselves. */
const turning = ({ pieces, chosen, middle, change, place, stage }: Turning) => ({
  /** All side by side about the middle of the bed. */
  arrange: () => {
    const places = stage.current?.arrange(pieces, middle)
    if (places) change((all) => placed(all, places))
  },
  /** The chosen one is turned so that least of it hangs over. */
  orient: () => {
    const turn = chosen && stage.current?.orient(chosen)
    if (chosen && turn) place(chosen.key, { rotate: turn })
  },
  layOn: (of: string, normal: Vector) => {
    const piece = pieces.find((one) => one.key === of)
    const turn = piece && stage.current?.layOn(piece, normal)
    if (turn) place(of, { rotate: turn })
  },
})

/** What came by an address has the name and size of the model that lies there. */
const named = (pieces: readonly Piece[], models: readonly MeshModel[]): readonly Piece[] =>
  pieces.map((piece) => {
    const model = piece.size === null ? models.find(({ mesh_url: url }) => url === piece.url) : undefined
    return model ? { ...piece, name: model.name, size: model.size } : piece
  })

export type Trouble = { readonly kind: 'outside' | 'touches'; readonly name: string; readonly other: string }

/** The first that stands beyond the bed, else the first that stands in another. */
function troubleOf(pieces: readonly Piece[], measured: ReadonlyMap<string, Measured>): Trouble | null {
  const outside = pieces.find((piece) => measured.get(piece.key)?.isOutside)
  if (outside) return { kind: 'outside', name: outside.name, other: '' }
  for (const { key, name } of pieces) {
    const other = pieces.find((one) => one.key === measured.get(key)?.touches)
    if (other) return { kind: 'touches', name, other: other.name }
  }
  return null
}
