import type { MeshStandardMaterial } from 'three'

/** What hangs over more than this from upright needs support. */
const OVERHANG = -Math.cos((45 * Math.PI) / 180)

/** Has materials show what hangs over: from yellow to red, the flatter the redder; what lies on the bed does not. */
export function heatOf() {
  const isShown = { value: false }
  const wear = (material: MeshStandardMaterial) => {
    material.onBeforeCompile = (shader) => {
      shader.uniforms['uHeat'] = isShown
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vFacing;\nvarying float vAbove;')
        .replace(
          '#include <begin_vertex>',
          `#include <begin_vertex>
          vFacing = inverse(transpose(mat3(modelMatrix))) * normal;
          vAbove = (modelMatrix * vec4(position, 1.0)).z;`,
        )
      shader.fragmentShader = shader.fragmentShader
        .replace(
          '#include <common>',
          '#include <common>\nvarying vec3 vFacing;\nvarying float vAbove;\nuniform bool uHeat;',
        )
        .replace(
          '#include <color_fragment>',
          `#include <color_fragment>
          float down = normalize(vFacing).z;
          if (uHeat && down < ${OVERHANG.toFixed(4)} && vAbove > 0.05)
            diffuseColor.rgb = mix(vec3(0.95, 0.75, 0.1), vec3(0.85, 0.1, 0.1), (${OVERHANG.toFixed(4)} - down) / ${(1 + OVERHANG).toFixed(4)});`,
        )
    }
  }
  return { isShown, wear }
}
