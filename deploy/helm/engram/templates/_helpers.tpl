{{/* The release's name, with the chart's where it has none of it: names of pods, and so of nodes, begin with it. */}}
{{- define "engram.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | replace "." "-" | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | replace "." "-" | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "engram.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "engram.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "engram.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "engram.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* A variable out of a Secret: a dict of name, secret and key. */}}
{{- define "engram.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{/* No process becomes more than it is, and writes nothing but what is mounted for that. */}}
{{- define "engram.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "engram.podSecurity" -}}
runAsNonRoot: true
# The image's user node.
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* What can only be known from several values at once. */}}
{{- define "engram.check" -}}
{{- if and (not .Values.licence.anonymous) (not .Values.licence.publicKeySecret.name) -}}
{{- fail "licence.publicKeySecret.name is missing: the Secret with the public key of your licences, or set licence.anonymous" -}}
{{- end -}}
{{- if and (ne .Values.storage.kind "none") (not .Values.storage.urlSecret.name) -}}
{{- fail "storage.urlSecret.name is missing: the Secret with the URL of the storage" -}}
{{- end -}}
{{- if gt (int .Values.replicaCount) 1 -}}
{{- if eq .Values.storage.kind "none" -}}
{{- fail "replicaCount above 1 needs a storage that the nodes share: set storage.kind" -}}
{{- end -}}
{{- if not (or .Values.nats.address .Values.nats.urlSecret.name) -}}
{{- fail "replicaCount above 1 needs NATS: set nats.address or nats.urlSecret" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.nats.address (not .Values.nats.passwordSecret.name) -}}
{{- fail "nats.passwordSecret.name is missing: the Secret with the password of the nodes" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "ingress.host is missing" -}}
{{- end -}}
{{- if lt (int .Values.terminationGracePeriodSeconds) (add 30 .Values.preStopSeconds) -}}
{{- fail "terminationGracePeriodSeconds is too short: a node takes up to 30 s to end in order, after preStopSeconds" -}}
{{- end -}}
{{- end -}}

{{/* The names under which callers reach the service: without licences it answers under no other. */}}
{{- define "engram.hosts" -}}
{{- $name := include "engram.fullname" . -}}
{{- $hosts := printf "%s,%s.%s,%s.%s.svc,%s.%s.svc.cluster.local" $name $name .Release.Namespace $name .Release.Namespace $name .Release.Namespace -}}
{{- if .Values.ingress.enabled -}}
{{- printf "%s,%s" $hosts .Values.ingress.host -}}
{{- else -}}
{{- $hosts -}}
{{- end -}}
{{- end -}}
