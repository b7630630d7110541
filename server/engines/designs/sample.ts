import { readFile, stat } from 'node:fs/promises'
import { DESIGNS_PAGE } from '@vigil/contract/slice/designs.ts'
import sharp from 'sharp'
import { pictureOf } from '../../lib/mesh/picture.ts'
import { readStl } from '../../lib/mesh/stl.ts'
import { type Asking, type Design, type DesignProvider, type Hit, NoDesigns } from './port.ts'

/** Its models, made by `scripts/designs.ts`; the place of each is its number. */
const KEYS = [
  'wallHook',
  'coatHooks',
  'spoolAdapter',
  'spoolAxle',
  'calibrationCube',
  'temperatureTower',
  'stringingTest',
  'overhangTest',
  'bridgeTest',
  'toleranceTest',
  'firstLayer',
  'cableClips',
  'cableComb',
  'deskClip',
  'drawerBox',
  'penCup',
  'stackTray',
  'phoneStand',
  'hexKeys',
  'cardBox',
  'bagClip',
  'printerFeet',
  'knob',
  'cornerBracket',
  'spacers',
  'shelfPins',
] as const
type Key = (typeof KEYS)[number]

const PIXELS = 640
const pathOf = (key: Key) => new URL(`./sample/${key}.stl`, import.meta.url)

/** What is said of a model, in the reader's language. */
export type Words = (key: string, language: Asking['language']) => string

/** A catalogue of our own making, in the public domain: what there is without anybody's token. */
export function openSample(words: Words): DesignProvider {
  const nameOf = (key: Key, { language }: Asking) => words(`sample.${key}.name`, language)
  const hitOf = (key: Key, asking: Asking): Hit => ({
    id: KEYS.indexOf(key) + 1,
    name: nameOf(key, asking),
    picture: key,
    maker: { name: words('maker', asking.language), picture: null },
    likes: 0,
  })
  const aboutOf = (key: Key, { language }: Asking) => words(`sample.${key}.about`, language)
  return {
    name: 'sample',
    list(keyword, page, asking) {
      const sought = keyword.toLowerCase().split(/\s/).filter(Boolean)
      const found = KEYS.filter((key) => {
        const said = `${key} ${nameOf(key, asking)} ${aboutOf(key, asking)}`.toLowerCase()
        return sought.every((word) => said.includes(word))
      })
      const hits = found
        .slice((page - 1) * DESIGNS_PAGE, page * DESIGNS_PAGE)
        .map((key) => hitOf(key, asking))
      return Promise.resolve(hits)
    },
    design(id, asking): Promise<Design> {
      const key = keyOf(id)
      return Promise.resolve({
        ...hitOf(key, asking),
        collects: 0,
        files: 1,
        html: `<p>${aboutOf(key, asking)}</p>`,
        license: words('license', asking.language),
        url: null,
      })
    },
    pictures: (id) => Promise.resolve([keyOf(id)]),
    comments: (id) => Promise.resolve(keyOf(id) && []),
    async files(id) {
      const key = keyOf(id)
      const { size: numBytes } = await stat(pathOf(key))
      return [{ id, name: `${key}.stl`, numBytes, picture: key, content: key }]
    },
    file: (named) => readFile(pathOf(keyNamed(named))),
    picture: pictureBy,
  }
}

function keyOf(id: number): Key {
  const key = KEYS[id - 1]
  if (key === undefined) throw new NoDesigns('gone')
  return key
}

function keyNamed(named: string): Key {
  const key = KEYS.find((one) => one === named)
  if (key === undefined) throw new NoDesigns('gone')
  return key
}

async function pictureBy(named: string): Promise<Buffer> {
  const { triangles } = readStl(new Uint8Array(await readFile(pathOf(keyNamed(named)))))
  const raw = { width: PIXELS, height: PIXELS, channels: 4 } as const
  return await sharp(pictureOf(triangles, PIXELS), { raw }).png().toBuffer()
}
