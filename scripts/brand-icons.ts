/**
 * Draws the icons of the installable app from each brand's mark: `node scripts/brand-icons.ts [FOLDER]`, where FOLDER
 * holds brands.json (docs/brands.md); ours without it. Run it again when a mark or an accent changes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Brand, readBrands } from '../server/brands/brands.ts'

/** The look's accent, for a brand that has none of its own. */
const ACCENT = '#4053d6'

/** A tile of the accent with the mark in white; `inset` is the part of the side left free on each side of it. */
function tile(brand: Brand, { inset, round }: { inset: number; round: number }): string {
  const mark = readFileSync(join(brand.folder, 'mark.svg'), 'utf8').replace(/ fill="#[0-9a-f]+"/gi, '')
  const side = 512 * (1 - 2 * inset)
  const placed = mark.replace(
    '<svg ',
    `<svg x="${512 * inset}" y="${512 * inset}" width="${side}" height="${side}" fill="#ffffff" `,
  )
  const ground = brand.colors?.light.accent ?? ACCENT
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" rx="${round}" fill="${ground}"/>${placed}</svg>`
}

async function draw(brand: Brand, file: string, size: number, shape: { inset: number; round: number }) {
  const png = await sharp(Buffer.from(tile(brand, shape)), { density: (72 * size) / 512 })
    .resize(size)
    .png({ palette: true, compressionLevel: 9, effort: 10 })
    .toBuffer()
  writeFileSync(join(brand.folder, file), png)
  console.log(`${brand.name}/${file}: ${png.length} bytes`)
}

for (const brand of readBrands(process.argv[2])) {
  const tileShape = { inset: 0.19, round: 112 }
  await draw(brand, 'icon-192.png', 192, tileShape)
  await draw(brand, 'icon-512.png', 512, tileShape)
  // A launcher cuts this one to its own shape: what counts stands within the middle four fifths.
  await draw(brand, 'maskable-512.png', 512, { inset: 0.26, round: 0 })
}
