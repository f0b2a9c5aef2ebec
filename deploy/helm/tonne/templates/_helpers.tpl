{{- define "tonne.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "tonne.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: service
{{- end }}

{{- define "tonne.labels" -}}
{{ include "tonne.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "tonne.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "tonne.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
readOnlyRootFilesystem: true
{{- end }}

{{- define "tonne.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "tonne.settings" -}}
{{- /* The volume's root is open to the group (fsGroup); the service makes this folder for itself alone. */}}
{{- if not (hasKey .Values.settings "TONNE_STORE__DATA_DIR") }}
- name: TONNE_STORE__DATA_DIR
  value: /var/lib/tonne/data
{{- end }}
{{- if and .Values.ingress.enabled (not (hasKey .Values.settings "TONNE_SERVER__PUBLIC_URL")) }}
- name: TONNE_SERVER__PUBLIC_URL
  value: {{ printf "%s://%s" (ternary "https" "http" (not (empty .Values.ingress.tlsSecret))) .Values.ingress.host }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- if .Values.database.existingSecret }}
- name: TONNE_DATABASE__URL_FILE
  value: /run/secrets/database/url
{{- end }}
{{- if .Values.secretKey.existingSecret }}
- name: TONNE_SECRETS__KEY_FILE
  value: /run/secrets/installation/secret.key
{{- end }}
{{- end }}

{{- define "tonne.pod" -}}
metadata:
  labels:
    {{- include "tonne.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  securityContext:
    {{- include "tonne.podSecurity" . | nindent 4 }}
  containers:
    - name: tonne
      image: {{ include "tonne.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [serve]
      env:
        - name: TONNE_SERVER__LISTEN
          value: "0.0.0.0:8080"
        {{- include "tonne.settings" . | nindent 8 }}
        {{- if .Values.tls.existingSecret }}
        - name: TONNE_SERVER__TLS_CERTIFICATE
          value: /run/secrets/tls/tls.crt
        - name: TONNE_SERVER__TLS_KEY
          value: /run/secrets/tls/tls.key
        {{- end }}
        {{- if .Values.metrics.enabled }}
        - name: TONNE_METRICS__ADDRESS
          value: "0.0.0.0:{{ .Values.metrics.port }}"
        {{- end }}
      ports:
        - name: http
          containerPort: 8080
        {{- if .Values.metrics.enabled }}
        - name: metrics
          containerPort: {{ .Values.metrics.port }}
        {{- end }}
      {{- $scheme := ternary "HTTPS" "HTTP" (not (empty .Values.tls.existingSecret)) }}
      startupProbe:
        httpGet: {path: /health/live, port: http, scheme: {{ $scheme }}}
        # A day: data of an earlier version is migrated before the service answers.
        periodSeconds: 2
        failureThreshold: 43200
      livenessProbe:
        httpGet: {path: /health/live, port: http, scheme: {{ $scheme }}}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: {path: /health/ready, port: http, scheme: {{ $scheme }}}
        periodSeconds: 5
        timeoutSeconds: 5
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        {{- include "tonne.containerSecurity" . | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /var/lib/tonne
        - name: tmp
          mountPath: /tmp
        {{- if .Values.database.existingSecret }}
        - name: database
          mountPath: /run/secrets/database
          readOnly: true
        {{- end }}
        {{- if .Values.secretKey.existingSecret }}
        - name: installation
          mountPath: /run/secrets/installation
          readOnly: true
        {{- end }}
        {{- if .Values.tls.existingSecret }}
        - name: tls
          mountPath: /run/secrets/tls
          readOnly: true
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if .Values.database.existingSecret }}
    - name: data
      emptyDir: {}
    - name: database
      secret:
        secretName: {{ .Values.database.existingSecret }}
        defaultMode: 0440
    {{- end }}
    {{- if .Values.secretKey.existingSecret }}
    - name: installation
      secret:
        secretName: {{ .Values.secretKey.existingSecret }}
        defaultMode: 0440
    {{- end }}
    {{- if .Values.tls.existingSecret }}
    - name: tls
      secret:
        secretName: {{ .Values.tls.existingSecret }}
        defaultMode: 0440
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
