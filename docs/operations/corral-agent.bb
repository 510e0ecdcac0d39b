# The agent in an image of Yocto 5.1 or newer; docs/agent-on-devices.md explains it.
SUMMARY = "Agent of Corral: connects a device to its hub"
LICENSE = "Apache-2.0"
LIC_FILES_CHKSUM = "file://${COMMON_LICENSE_DIR}/Apache-2.0;md5=89aea4e17d99a7cacdbeed46a0096b10"

# Beside this recipe, in the folder corral-agent.
SRC_URI = " \
    file://corral-agent.mjs \
    file://corral-agent.service \
    file://corral-agent-respawn.sh \
    file://agent.toml \
"
S = "${UNPACKDIR}"

inherit allarch systemd

# It is in meta-oe.
RDEPENDS:${PN} = "nodejs"
SYSTEMD_SERVICE:${PN} = "corral-agent.service"
CONFFILES:${PN} = "${sysconfdir}/corral/agent.toml"
FILES:${PN} += "${nonarch_libdir}/corral-agent ${systemd_system_unitdir}/corral-agent.service"

do_install() {
    install -D -m 0755 ${S}/corral-agent.mjs ${D}${nonarch_libdir}/corral-agent/corral-agent.mjs
    install -d ${D}${bindir}
    ln -s ${nonarch_libdir}/corral-agent/corral-agent.mjs ${D}${bindir}/corral-agent
    install -D -m 0600 ${S}/agent.toml ${D}${sysconfdir}/corral/agent.toml
    if ${@bb.utils.contains('DISTRO_FEATURES', 'systemd', 'true', 'false', d)}; then
        install -D -m 0644 ${S}/corral-agent.service ${D}${systemd_system_unitdir}/corral-agent.service
        sed -i -e 's,/usr/local/lib,${nonarch_libdir},' ${D}${systemd_system_unitdir}/corral-agent.service
    else
        install -D -m 0755 ${S}/corral-agent-respawn.sh ${D}${sbindir}/corral-agent-respawn
        sed -i -e 's,/usr/local/lib,${nonarch_libdir},' ${D}${sbindir}/corral-agent-respawn
    fi
}
