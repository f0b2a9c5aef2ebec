"""Checks deploy/helm/tonne, deploy/compose.yaml and deploy/Containerfile.

The argument is the program; `compose` behind it leaves out the chart.
"""

import json
import os
import re
import subprocess
import sys

import yaml

PROGRAM = sys.argv[1]
ONLY_COMPOSE = sys.argv[2:] == ["compose"]
if not ONLY_COMPOSE:
    import helm_python

CHART = "deploy/helm/tonne"
COMPOSE = "deploy/compose.yaml"
CONTAINERFILE = "deploy/Containerfile"

# Values to render the chart with, by the name they are reported under.
CASES = {
    "defaults": {},
    "settings": {
        "settings": {"TONNE_TENANCY__MODE": "path", "TONNE_LIMITS__STREAMS": 4},
        "persistence": {"storageClass": "fast"},
        "tls": {"existingSecret": "certificate"},
        "podLabels": {"team": "carbon"},
        "podAnnotations": {"note": "1"},
        "nodeSelector": {"disk": "ssd"},
        "tolerations": [{"key": "carbon", "operator": "Exists"}],
        "imagePullSecrets": [{"name": "registry"}],
    },
    "ingress": {
        "settings": {"TONNE_SERVER__TRUSTED_PROXIES": "10.0.0.0/8"},
        "ingress": {"enabled": True, "className": "nginx", "host": "carbon.example.org", "tlsSecret": "ingress"},
    },
    "database": {
        "database": {"existingSecret": "url", "migratorSecret": "migrator", "replicas": 3},
        "secretKey": {"existingSecret": "key"},
    },
    "metrics": {
        "metrics": {"enabled": True, "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}}},
        "networkPolicy": {"from": [{"podSelector": {}}], "metricsFrom": [{"namespaceSelector": {}}]},
    },
}
# Values that the chart refuses, and what it says.
REFUSED = {
    "database without a key": ({"database": {"existingSecret": "url"}}, "secretKey.existingSecret is needed"),
    "monitor without metrics": ({"metrics": {"serviceMonitor": {"enabled": True}}}, "needs metrics.enabled"),
    "ingress without its addresses": ({"ingress": {"enabled": True}}, "needs settings.TONNE_SERVER__TRUSTED_PROXIES"),
    "ingress and TLS of the pods": (
        {"ingress": {"enabled": True}, "tls": {"existingSecret": "certificate"},
         "settings": {"TONNE_SERVER__TRUSTED_PROXIES": "10.0.0.0/8"}},
        "exclude each other",
    ),
}
KINDS = {
    "defaults": {"StatefulSet", "Service", "NetworkPolicy"},
    "settings": {"StatefulSet", "Service", "NetworkPolicy"},
    "ingress": {"StatefulSet", "Service", "NetworkPolicy", "Ingress"},
    "database": {"Deployment", "Service", "NetworkPolicy", "PodDisruptionBudget", "Job"},
    "metrics": {"StatefulSet", "Service", "NetworkPolicy", "ServiceMonitor"},
}

faults = []


def expect(condition, place, text):
    if not condition:
        faults.append(f"{place}: {text}")


def check_settings(place, settings):
    """The program reads the settings; files they name need not be there."""
    ran = subprocess.run([PROGRAM, "config", "--json"], env=settings, capture_output=True, text=True)
    expect(ran.returncode == 0, place, ran.stderr.strip())
    if ran.returncode == 0:
        given = {entry["source"] for entry in json.loads(ran.stdout)}
        own = [name for name in settings if name.startswith("TONNE_")]
        expect(given.issuperset(own), place, f"{set(own) - given} set nothing")


def check_container(place, container, volumes):
    security = container["securityContext"]
    expect(security["readOnlyRootFilesystem"] is True, place, "its root can be written")
    expect(security["capabilities"]["drop"] == ["ALL"], place, "it keeps capabilities")
    expect(security["allowPrivilegeEscalation"] is False, place, "it may gain rights")
    mounted = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    expect(set(mounted) == volumes, place, f"mounts {set(mounted)}, volumes {volumes}")
    settings = {entry["name"]: entry["value"] for entry in container["env"]}
    expect(len(settings) == len(container["env"]), place, "a variable is given twice")
    for name, value in settings.items():
        expect(isinstance(value, str), place, f"{name} is no text")
        if value.startswith("/run/secrets/"):
            expect(value.rsplit("/", 1)[0] in mounted.values(), place, f"{name} names a file of no volume")
    expect(settings["TONNE_STORE__DATA_DIR"].startswith(mounted["data"] + "/"), place, "its data is in the volume's root")
    if place.startswith("ingress,"):
        expect(settings.get("TONNE_SERVER__PUBLIC_URL") == "https://carbon.example.org", place, "it is told of elsewhere")
    check_settings(place, settings)
    return {port["name"] for port in container.get("ports", [])}


def check_pod(place, template, claims):
    spec = template["spec"]
    security = spec["securityContext"]
    expect(security["runAsNonRoot"] is True and security["runAsUser"] > 0, place, "it runs as root")
    expect(spec["automountServiceAccountToken"] is False, place, "it has a token of the cluster")
    volumes = {volume["name"] for volume in spec["volumes"]} | claims
    (container,) = spec["containers"]
    ports = check_container(place, container, volumes)
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        if probe in container:
            request = container[probe]["httpGet"]
            expect(request["port"] in ports, place, f"{probe} asks a port that there is not")
            with_tls = any(entry["name"] == "TONNE_SERVER__TLS_KEY" for entry in container["env"])
            expect((request["scheme"] == "HTTPS") == with_tls, place, f"{probe} speaks {request['scheme']}")
    return ports


def check_case(case, values):
    with helm_python.Chart.load(CHART) as chart:
        texts = chart.render(values, name="demo", namespace="prod")
    objects = []
    for path, text in texts.items():
        if path.endswith(".yaml"):
            objects += [(f"{case}, {path}", each) for each in yaml.safe_load_all(text) if each]
    kinds = {each["kind"] for _, each in objects}
    expect(kinds == KINDS[case], case, f"it has {kinds}")
    labels, ports = {}, set()
    for place, each in objects:
        expect(each["apiVersion"] and len(each["metadata"]["name"]) <= 63, place, "it has no version or too long a name")
        if each["kind"] in ("StatefulSet", "Deployment", "Job"):
            template = each["spec"]["template"]
            claims = {claim["metadata"]["name"] for claim in each["spec"].get("volumeClaimTemplates", [])}
            found = check_pod(place, template, claims)
            if each["kind"] != "Job":
                labels, ports = template["metadata"]["labels"], found
    services = {}
    for place, each in objects:
        if each["kind"] == "Service":
            services[each["metadata"]["name"]] = each["spec"]
        selector = each["spec"].get("selector", each["spec"].get("podSelector"))
        if each["kind"] == "ServiceMonitor":
            wanted = selector["matchLabels"].items()
            found = [other for _, other in objects
                     if other["kind"] == "Service" and wanted <= other["metadata"]["labels"].items()]
            expect(len(found) == 1, place, f"it selects {len(found)} services")
        elif each["kind"] not in ("Job", "Ingress"):
            wanted = selector.get("matchLabels", selector).items()
            expect(wanted <= labels.items(), place, "it selects no pod")
        for rule in each["spec"].get("ingress", []):
            expect(all(port["port"] in ports for port in rule["ports"]), place, "a port is none of the pod's")
    for name, spec in services.items():
        for port in spec["ports"]:
            expect(port["targetPort"] in ports, f"{case}, service {name}", f"{port['targetPort']} is no port of the pod")
    for place, each in objects:
        if each["kind"] == "Ingress":
            backend = each["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
            named = [port["name"] for port in services.get(backend["name"], {"ports": []})["ports"]]
            expect(backend["port"]["name"] in named, place, "it leads to no service")


def check_refused(case, values, expected):
    try:
        with helm_python.Chart.load(CHART) as chart:
            chart.render(values, name="demo", namespace="prod")
    except Exception as error:  # the package's own kinds of error are many
        expect(expected in str(error), case, f"it is refused otherwise: {error}")
    else:
        expect(False, case, "it is rendered")


def check_compose():
    with open(COMPOSE, encoding="utf-8") as file:
        compose = yaml.safe_load(file)
    with open("deploy/compose/secrets.sh", encoding="utf-8") as script:
        made = {line.split()[1] for line in script if line.startswith(("make ", "for_service "))}
    for name, secret in compose["secrets"].items():
        expect(secret["file"] == f"./compose/secrets/{name}" and name in made, COMPOSE, f"nothing makes the secret {name}")
    for name, service in compose["services"].items():
        place = f"{COMPOSE}, {name}"
        expect(set(service["secrets"]) <= set(compose["secrets"]), place, "it names a secret that there is not")
        expect(set(service.get("depends_on", {})) <= set(compose["services"]), place, "it waits for what there is not")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            known = os.path.exists(f"deploy/{source}") if source.startswith(".") else source in compose["volumes"]
            expect(known, place, f"{source} is no volume and no file")
        for variable, value in service.get("environment", {}).items():
            if value.startswith("/run/secrets/"):
                expect(value.split("/")[3] in service["secrets"], place, f"{variable} names a secret that it is not given")
        if service["image"] == "tonne":
            expect(service["read_only"] is True and service["cap_drop"] == ["ALL"], place, "it may do too much")
            settings = {key: re.sub(r"\$\{\w+:-(.*)\}", r"\1", value)
                        for key, value in service["environment"].items()}
            # An empty one is none.
            check_settings(place, {key: value for key, value in settings.items() if value})


def check_containerfile():
    """The image is made of the static program alone, runs as a numeric user and is asked by the program itself."""
    with open(CONTAINERFILE, encoding="utf-8") as file:
        text = re.sub(r"\\\n\s*", " ", file.read())
    lines = [line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    begins = [at for at, (word, _) in enumerate(lines) if word == "FROM"]
    build, image = lines[:begins[-1]], lines[begins[-1]:]
    expect(image[0][1] == "scratch", CONTAINERFILE, f"the image is made from {image[0][1]}")
    built = [rest for word, rest in build if word == "RUN" and "cargo build" in rest]
    expect(any("-unknown-linux-musl" in rest and "--locked" in rest for rest in built), CONTAINERFILE,
           "the program is not built for musl from the locked dependencies")
    given = {word: rest for word, rest in image}
    user, _, group = given.get("USER", "").partition(":")
    expect(user.isdigit() and group.isdigit() and int(user) > 0, CONTAINERFILE, f"the user is {given.get('USER')}")
    health = re.search(r"\bCMD (\[.*\])$", given.get("HEALTHCHECK", ""))
    expect(health and json.loads(health[1]) == ["/usr/bin/tonne", "health"], CONTAINERFILE, "nothing asks `tonne health`")
    expect(json.loads(given["ENTRYPOINT"]) == ["/usr/bin/tonne"], CONTAINERFILE, "it does not run the program")
    variables = dict(pair.split("=", 1) for word, rest in image if word == "ENV" for pair in rest.split())
    settings = {name: value for name, value in variables.items() if name.startswith("TONNE_")}
    expect(settings.get("TONNE_STORE__DATA_DIR") == given.get("VOLUME"), CONTAINERFILE, "its data is in no volume")
    expect(settings.get("TONNE_SERVER__LISTEN", "").endswith(":" + given["EXPOSE"]), CONTAINERFILE,
           "it listens on another port than it exposes")
    check_settings(CONTAINERFILE, settings)


check_compose()
check_containerfile()
if not ONLY_COMPOSE:
    for name, values in CASES.items():
        check_case(name, values)
    for name, (values, expected) in REFUSED.items():
        check_refused(name, values, expected)
    print(f"the chart was rendered {len(CASES)} times and refused {len(REFUSED)} times")
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
