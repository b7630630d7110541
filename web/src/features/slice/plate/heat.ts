import type { MeshStandardMaterial } from 'three'

/** What hangs over more than this from upright needs support. */
const OVERHANG = -Math.cos((45 * Math.PI) / 180)

/** Has materials show what hangs over: from yellow to red, the flatter the redder; what lies on the bed does not. A face looks where what is drawn of it says. */
export function heatOf() {
  const isShown = { value: false }
  const wear = (material: MeshStandardMaterial) => {
    material.onBeforeCompile = (shader) => {
      shader.uniforms['uHeat'] = isShown
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;')
        .replace(
          '#include <begin_vertex>',
          '#include <begin_vertex>\nvPlace = (modelMatrix * vec4(position, 1.0)).xyz;',
        )
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;\nuniform bool uHeat;')
        .replace(
          '#include <color_fragment>',
          `#include <color_fragment>
          float down = normalize(cross(dFdx(vPlace), dFdy(vPlace))).z;
          if (uHeat && down < ${OVERHANG.toFixed(4)} && vPlace.z > 0.05)
            diffuseColor.rgb = mix(vec3(0.95, 0.75, 0.1), vec3(0.85, 0.1, 0.1), (${OVERHANG.toFixed(4)} - down) / ${(1 + OVERHANG).toFixed(4)});`,
        )
    }
  }
  return { isShown, wear }
}
