{{- define "vigil.labels" -}}
app.kubernetes.io/name: vigil
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "vigil.name" -}}
{{- if contains "vigil" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-vigil" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{/* One pod: of whatever role, closed as far as Node and PostgreSQL allow. Takes root, role, resources and data (a volume, or nothing). */}}
{{- define "vigil.pod" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: 60
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: vigil
    image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [ALL]
    ports:
      - name: http
        containerPort: 3334
    env:
      - name: ROLE
        value: {{ .role }}
      {{- range $name, $value := .root.Values.settings }}
      {{- /* Off and none are said, too; toJson writes a large number out. */}}
      {{- $text := kindIs "string" $value | ternary $value (toJson $value) }}
      {{- if not (has $text (list "" "null")) }}
      - name: {{ $name }}
        value: {{ $text | quote }}
      {{- end }}
      {{- end }}
    {{- with .root.Values.secretName }}
    envFrom:
      - secretRef:
          name: {{ . }}
    {{- end }}
    startupProbe:
      httpGet: { path: /hc/live/, port: http }
      periodSeconds: 5
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /hc/live/, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: {{ if eq .role "worker" }}/hc/live/{{ else }}/hc/ready/{{ end }}, port: http }
      periodSeconds: 5
      timeoutSeconds: 5
    resources:
      {{- toYaml .resources | nindent 6 }}
    volumeMounts:
      - name: data
        mountPath: /data
      - name: tmp
        mountPath: /tmp
volumes:
  - name: tmp
    emptyDir: {}
  {{- if not .hasDisk }}
  - name: data
    emptyDir: {}
  {{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
